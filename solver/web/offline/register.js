// Lets the browser keep the site, so that it opens without a connection, and announces a new version of it. It imports
// nothing, since a first visit loads it as a file of its own.

const AFTER = 4000; // ms
const { serviceWorker } = navigator;
// the first row is shown before all else is loaded
await new Promise((go) => setTimeout(go, AFTER));
// without it the site works as long as its host answers
const registration = await serviceWorker?.register("sw.js").catch(() => null);
const notice = Object.assign(document.createElement("p"), { id: "new-version", role: "status", hidden: true });
document.querySelector("main").before(notice);

// a new version waits until the user takes it, or until no page shows the one before
function announce() {
  const { waiting } = registration;
  if (!waiting || !serviceWorker.controller) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Load it" });
  button.onclick = () => waiting.postMessage("take over");
  notice.replaceChildren("A new version of this page is ready. Your games are kept. ", button);
  notice.hidden = false;
}

const follow = () => registration.installing?.addEventListener("statechange", announce);

if (registration) {
  let isControlled = Boolean(serviceWorker.controller);
  registration.addEventListener("updatefound", follow);
  follow();
  announce();
  serviceWorker.addEventListener("controllerchange", () => {
    // files of two versions do not fit each other
    if (isControlled) location.reload();
    isControlled = true;
  });
  // a page may stay open for weeks
  document.addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => {}));
}
