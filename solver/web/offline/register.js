// Lets the browser keep the site, so that it opens without a connection.

navigator.serviceWorker?.register("sw.js").catch(() => {}); // without it the site works as long as its host answers
