// Requests to the server of `rowdraw serve`. While it does not answer, the page says so and asks again from time to
// time.

import { Lost, Refused } from "./failures.js";
import { id } from "./page.js";

let retry = null; // the timer of retries while the server does not answer

function offline(is) {
  id("offline").hidden = !is;
  if (is && retry === null) {
    retry = setInterval(
      () =>
        fetch("static/icon.svg", { cache: "no-store" }).then(
          () => offline(false),
          () => {},
        ),
      2000,
    );
  } else if (!is && retry !== null) {
    clearInterval(retry);
    retry = null;
    document.dispatchEvent(new Event("online-again"));
  }
}

export function lost(error) {
  if (error.name === "AbortError") return error;
  offline(true);
  return new Lost("The server does not answer; nothing is lost.");
}

export async function send(path, body, signal) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    throw lost(error);
  }
  offline(false);
  if (answer.ok && answer.headers.get("content-type").startsWith("text/event-stream")) return answer;
  const fields = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (fields.error) throw new Refused(fields.error);
  return fields;
}

export const request = (path, body) => send(path, body);
