// Text of messages, in the words of the referee: see verify/text.py.

const QUOTED = 60; // characters

// a text as a message quotes it: shortened, and with escapes for characters that cannot be shown
export function quote(text) {
  if (text.length <= QUOTED) return shortened(shown(text));
  const cut = shown(text.slice(0, QUOTED)).slice(0, QUOTED - 4);
  return `${cut}...${cut[0]}`;
}

const shortened = (text) => (text.length <= QUOTED ? text : `${text.slice(0, QUOTED - 4)}...${text[0]}`);

function shown(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [mark]: `\\${mark}` };
  return mark + [...text].map((sign) => escaped[sign] ?? printable(sign)).join("") + mark;
}

const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

export function printable(text) {
  return text.replace(UNSHOWN, (sign) => {
    const code = sign.codePointAt(0).toString(16);
    return code.length < 3 ? `\\x${code.padStart(2, "0")}` : code.length < 5 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
}

// lower case, where characters that would become ASCII letters stay as they are
export function lower(text) {
  return [...text].map((sign) => (/^[\0-\x7f]+$/.test(sign.toLowerCase()) === /^[\0-\x7f]+$/.test(sign) ? sign.toLowerCase() : sign)).join("");
}

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
