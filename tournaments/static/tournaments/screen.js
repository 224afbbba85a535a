/* The projector: shows one page after another, asks for news every two seconds, and says when it gets none. It goes on
   with what it has then. Without this file the browser turns the pages by reloading. */
(() => {
  "use strict";
  const POLL = 2_000;
  const PATIENCE = 8_000;
  const LOST_AFTER = 5_000;
  const QUIET_AFTER = 8_000;
  const home = document.querySelector("[data-projector]");
  const find = (name) => document.querySelector(`[data-${name}]`);
  const pages = () => Array.from(document.querySelectorAll("[data-page]"));
  let at = Math.max(0, pages().findIndex((page) => !page.hidden));
  let shownAt = Date.now();
  let heardAt = Date.now();
  let movedAt = Date.now();
  let ahead = Number(find("screen").dataset.serverNow) - Date.now();
  let isPaused = false;
  let current = {};

  /* Turning pages */
  const show = (wanted) => {
    const all = pages();
    at = (wanted + all.length) % all.length;
    for (const [number, page] of all.entries()) page.hidden = number !== at;
    const { page, of } = all[at].dataset;
    if (page !== current.page) all[at].classList.add("is-turned");
    if (of !== current.of) find("said").textContent = all[at].querySelector("h2").textContent;
    current = { page, of };
  };
  const turn = (wanted) => {
    show(wanted);
    shownAt = Date.now();
  };
  const step = (by) => {
    turn(at + by);
    if (around() !== find("screen").dataset.around) look();
  };
  const around = () => {
    /* Of a long programme only some pages are here: around the one that is shown, unless those beside it are known. */
    const { around: known, total } = find("screen").dataset;
    const all = pages();
    const place = (number) => Number(all[(number + all.length) % all.length].dataset.place);
    const isBeside = (by) => place(at + by) === (place(at) + by + Number(total)) % Number(total);
    return !known || [-1, 1, 2].every(isBeside) ? known : current.page;
  };
  const skip = () => {
    const all = pages();
    const further = all.findIndex((page, number) => number > at && page.dataset.of !== current.of);
    turn(further < 0 ? 0 : further);
  };
  const pause = () => {
    isPaused = !isPaused;
    shownAt = Date.now();
    const button = document.querySelector("[data-do=pause]");
    button.setAttribute("aria-pressed", String(isPaused));
    find("pause-word").textContent = isPaused ? button.dataset.stands : button.dataset.goes;
  };

  /* News */
  const room = () => {
    /* As many lines as can be read from afar: a letter is 2.2 hundredths of the screen's width, never under 16 pixels. */
    const stage = find("stage");
    const letter = Math.max(16, innerWidth * 0.022);
    const lines = Math.floor((0.87 * stage.clientHeight * 0.62) / letter - 0.8);
    const across = Math.floor(stage.clientWidth / (13 * letter));
    return { rows: Math.min(40, Math.max(4, lines)), across: Math.min(3, Math.max(1, across)) };
  };
  const address = () => {
    const wanted = new URL(home.dataset.part, location.href);
    const own = new URLSearchParams(location.search);
    for (const [name, number] of Object.entries(room())) wanted.searchParams.set(name, own.get(name) ?? number);
    const from = around();
    if (from) wanted.searchParams.set("from", from);
    if (own.has("screens")) wanted.searchParams.set("screens", own.get("screens"));
    return wanted.href;
  };
  const draw = (text) => {
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("[data-screen]");
    if (!fresh) return;
    if (fresh.dataset.release !== home.dataset.release) {
      location.reload();
      return;
    }
    const old = find("screen");
    old.replaceWith(document.adoptNode(fresh));
    ahead = Number(fresh.dataset.serverNow) - Date.now();
    document.dispatchEvent(new Event("screen:drawn"));
    const all = pages();
    const same = all.findIndex((page) => page.dataset.page === current.page);
    if (same >= 0) show(same);
    else turn(Math.max(0, all.findIndex((page) => page.dataset.of === current.of)));
    if (Number(fresh.dataset.skips) > Number(old.dataset.skips)) skip();
  };
  const look = async () => {
    if ("asking" in home.dataset) return;
    home.dataset.asking = "";
    try {
      /* The tag stands for the room there is as well: another size, another answer. */
      const answer = await fetch(address(), {
        headers: { "If-None-Match": find("screen").dataset.tag },
        cache: "no-store",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (answer.status === 404) location.reload();
      if (answer.status === 200) draw(await answer.text());
      if (answer.status === 200 || answer.status === 304) heardAt = Date.now();
    } catch {
      /* No connection: what is shown stays, and the next look is not far. */
    }
    delete home.dataset.asking;
    tell();
  };
  const hour = () => {
    const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const when = new Date(heardAt + ahead);
    try {
      return new Intl.DateTimeFormat(document.documentElement.lang, { ...form, timeZone: home.dataset.zone }).format(when);
    } catch {
      return new Intl.DateTimeFormat("en", form).format(when);
    }
  };
  const put = (place, text) => {
    if (place.textContent !== text) place.textContent = text;
  };
  const tell = () => {
    const isLost = Date.now() - heardAt > LOST_AFTER;
    put(find("as-of"), home.dataset.asOfWords.replace("{time}", hour()));
    if (isLost) put(find("lost"), home.dataset.lostWords.replace("{time}", hour()));
    find("lost").hidden = !isLost;
  };

  /* Whoever stands at it */
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  const deeds = { back: () => step(-1), on: () => step(1), pause, fill };
  const isMirrored = document.documentElement.dir === "rtl";
  const keys = { " ": "pause", f: "fill", ArrowRight: isMirrored ? "back" : "on", ArrowLeft: isMirrored ? "on" : "back" };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) deeds[button.dataset.do]();
  });
  document.addEventListener("keydown", (event) => {
    move();
    const deed = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    deeds[deed]();
  });
  const move = () => {
    movedAt = Date.now();
    document.body.classList.remove("is-quiet");
  };
  for (const name of ["pointermove", "pointerdown", "focusin"]) document.addEventListener(name, move);

  find("buttons").hidden = false;
  find("keys").hidden = false;
  turn(at);
  look();
  addEventListener("resize", look);
  setInterval(look, POLL);
  setInterval(() => {
    if (Date.now() - movedAt > QUIET_AFTER) document.body.classList.add("is-quiet");
    if (!isPaused && Date.now() - shownAt >= 1_000 * Number(pages()[at].dataset.seconds)) step(1);
    tell();
  }, 250);
})();
