/* The score page without network, as it was last seen, until its reader signs out; and messages to this browser. */
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

// One that comes twice replaces itself.
addEventListener("push", (event) => {
  const { id, title, text, language, direction, stop, ...data } = event.data.json();
  const actions = [{ action: "stop", title: stop }];
  const options = { body: text, tag: id, lang: language, dir: direction, data, actions };
  event.waitUntil(registration.showNotification(title, options));
});

const post = (path, asked) =>
  fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) });

async function stopTelling({ stop_path, tournament, player }) {
  const { endpoint } = await registration.pushManager.getSubscription();
  await post(stop_path, { do: "off", endpoint, tournament, player });
}

// The scope is the address that the button posts to.
async function renew({ oldSubscription: was, newSubscription: now }) {
  if (!was) return;
  const { endpoint, keys } = (now ?? (await registration.pushManager.subscribe(was.options))).toJSON();
  await post(registration.scope, { do: "renew", was: was.endpoint, endpoint, ...keys });
}

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { data } = event.notification;
  if (event.action === "stop") event.waitUntil(stopTelling(data));
  else event.waitUntil(clients.openWindow(new URL(data.path, location.origin).href));
});
