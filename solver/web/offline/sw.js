// Keeps the files of the site, so that it opens without a connection. `VERSION` and `FILES` stand above: the site's own version, and
// the addresses of its files.

const PREFIX = `rowdraw ${registration.scope} `; // sites of one host share their caches
const CACHE = PREFIX + VERSION;

addEventListener("install", (event) => {
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

async function removeOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

addEventListener("activate", (event) => event.waitUntil(removeOthers().then(() => clients.claim())));

// all files of one version come from the cache, so that they fit each other
async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});
