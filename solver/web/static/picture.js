// A game as a picture to save: the engine's SVG, drawn as PNG by the browser.

import { gameAs } from "./api.js";
import { h } from "../view/dom.js";
import { messageOf } from "./page.js";

const SCALE = 2; // so that the picture is sharp on fine screens

// Save the picture. Return a message if that fails.
export async function savePicture({ asked, game }) {
  try {
    const svg = await gameAs(asked, game.lines(), "svg");
    const blob = await drawn(svg);
    const address = URL.createObjectURL(blob);
    h("a", { href: address, download: `rowdraw-${game.score}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return "";
  } catch (error) {
    return error instanceof DrawingError ? error.message : messageOf(error);
  }
}

class DrawingError extends Error {}

async function drawn(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode().catch(() => {
    throw new DrawingError("This browser cannot draw the picture.");
  });
  const canvas = h("canvas", { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new DrawingError("This browser cannot draw the picture.")))),
  );
}
