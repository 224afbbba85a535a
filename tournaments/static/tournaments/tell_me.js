/* The button *Tell me here*: the browser tells of a tournament or a player, also while no page is open. Shown where the
   browser can do so, which needs HTTPS. Which tournaments and players, the site alone knows. */
(() => {
  "use strict";
  const panel = document.querySelector("[data-tell-me]");
  if (!panel || !navigator.serviceWorker || !window.PushManager || !window.Notification) return;
  const its = panel.dataset;
  const button = panel.querySelector("button");
  const status = panel.querySelector("[role=status]");
  // A scope that no page is in: for its sake the worker keeps no page of the site.
  const scope = its.tellMe;
  let isOn = false;

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  const isOurs = ({ options }) => String(new Uint8Array(options.applicationServerKey)) === String(bytes(its.key));

  // What this browser has already; nothing where the site has had another key since.
  async function subscription() {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    const held = await registration?.pushManager.getSubscription();
    return held && isOurs(held) ? held : null;
  }

  async function subscribe() {
    const registration = await navigator.serviceWorker.register(its.worker, { scope });
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    await new Promise((ready) => {
      const look = () => worker.state === "activated" && ready();
      worker.addEventListener("statechange", look);
      look();
    });
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(its.key) });
  }

  async function post(asked, held) {
    const { endpoint, keys } = held.toJSON();
    const followed = its.player ? { player: its.player } : { tournament: its.tournament };
    const language = document.documentElement.lang;
    const body = { do: asked, endpoint, language, p256dh: keys.p256dh, auth: keys.auth, ...followed };
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(its.tellMe, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.json();
  }

  function show(answer) {
    if (typeof answer.is_on === "boolean") isOn = answer.is_on;
    button.textContent = isOn ? button.dataset.stop : button.dataset.start;
    status.textContent = answer.text ?? (isOn ? its.on : its.off);
    panel.hidden = false;
  }

  async function press() {
    const held = await subscription();
    if (isOn && held) return post("off", held);
    if ((await Notification.requestPermission()) !== "granted") return { text: its.denied };
    return post("on", held ?? (await subscribe()));
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    show(await press().catch(() => ({ text: its.failed })));
    button.disabled = false;
  });
  subscription()
    .then((held) => (held ? post("ask", held) : {}))
    .catch(() => ({}))
    .then(show);
})();
