/* The score page without network, as it was last seen, until its reader signs out. */
"use strict";

async function orKept(name, request) {
  const cache = await caches.open(name);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request.url, answer.clone());
    else if (answer.status < 500) await cache.delete(request.url);
    return answer;
  } catch (lost) {
    const kept = await cache.match(request.url, { ignoreVary: true });
    if (kept) return kept;
    throw lost;
  }
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname.endsWith("/logout/")) event.waitUntil(caches.delete("pages"));
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && /\/table\/[^/]+\/score\/$/.test(pathname)) event.respondWith(orKept("pages", request));
  else if (/script|style|font|image/.test(request.destination)) event.respondWith(orKept("files", request));
});
