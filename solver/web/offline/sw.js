// Keeps the files of the site, so that it opens without a connection. `VERSION` and `FILES` stand above: the site's own
// version, and the addresses of its files.

const PREFIX = `rowdraw ${registration.scope} `; // sites of one host share their caches
const CACHE = PREFIX + VERSION;
const ADDRESSES = new Set(FILES.map((file) => new URL(file, registration.scope).href));

async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

addEventListener("install", (event) => event.waitUntil(fill()));

async function removeOthers() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

addEventListener("activate", (event) => event.waitUntil(removeOthers().then(() => clients.claim())));

// a page asks for this version, which waits while pages show another one
addEventListener("message", ({ data }) => data === "take over" && skipWaiting());

let filling = null;

// fill the cache again after the browser has evicted it: all of it, so that all files are of one version
function refill() {
  filling ??= fill()
    .catch(() => {})
    .finally(() => (filling = null));
  return filling;
}

// all files of one version come from the cache, so that they fit each other
async function answer(event) {
  const { request } = event;
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const { origin, pathname } = new URL(request.url);
  if (ADDRESSES.has(origin + pathname)) event.waitUntil(refill());
  return fetch(request);
}

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope))
    event.respondWith(answer(event));
});
