// Text of messages.

const QUOTED = 60; // characters

// a text as a message quotes it: shortened, and with escapes for characters that cannot be shown
export const quote = (text) => `“${printable(text.length > QUOTED ? `${text.slice(0, QUOTED - 1)}…` : text)}”`;

const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

export function printable(text) {
  return text.replace(UNSHOWN, (sign) => {
    const code = sign.codePointAt(0).toString(16);
    return code.length < 3
      ? `\\x${code.padStart(2, "0")}`
      : code.length < 5
        ? `\\u${code.padStart(4, "0")}`
        : `\\U${code.padStart(8, "0")}`;
  });
}

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
