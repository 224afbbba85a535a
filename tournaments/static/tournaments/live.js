/* Keeps a part of a page fresh: asks with the tag and the base of what is shown, draws what changed, marks it, and
   tells when the connection is lost. The page works without it and is then refreshed by the browser.

   An answer is nothing (304), the difference to the base as JSON, or the whole part as HTML. How a difference is
   written: tournaments/web/public/base/parts.py. Other files hear "live:before" and "live:after" around each change. */
(() => {
  "use strict";
  const shown = () => document.querySelector("[data-live]");
  const lost = document.querySelector("[data-live-lost]");
  let before = new Map();
  let places = new Map();
  let opened = [];
  let wanted = "";
  let isChanging = false;
  let asked = "";

  const rows = () => document.querySelectorAll("[data-live] [data-key]");
  const keyOf = (row) => `${row.closest("section")?.getAttribute("aria-labelledby")}/${row.dataset.key}`;
  /* A row that only changed its place is seen to move; it needs no mark. */
  const textOf = (row) => row.textContent.slice(row.querySelector(":scope > .c-place")?.textContent.length ?? 0);

  /* The tag goes out by hand: the browser would answer an unchanged part from its own cache, and we would draw it
     again each time. */
  document.addEventListener("htmx:configRequest", (event) => {
    const part = event.detail.elt;
    if (part !== shown()) return;
    if (part.dataset.tag) event.detail.headers["If-None-Match"] = part.dataset.tag;
    if (part.dataset.base) event.detail.parameters.since = part.dataset.base;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && event.detail.elt === shown()) event.preventDefault();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { elt, xhr } = event.detail;
    if (elt !== shown() || xhr.status !== 200) return;
    const isDifference = xhr.getResponseHeader("Content-Type")?.startsWith("application/json");
    if (!isDifference) return remember();
    event.detail.shouldSwap = false;
    draw(elt, JSON.parse(xhr.responseText));
  });

  document.addEventListener("htmx:afterSettle", () => {
    if (isChanging) settle();
  });

  const remember = () => {
    isChanging = true;
    opened = Array.from(document.querySelectorAll("[data-keep-open][open]"), (part) => part.dataset.keepOpen);
    before = new Map(Array.from(rows(), (row) => [keyOf(row), textOf(row)]));
    for (const row of rows()) row.classList.remove("is-fresh");
    places = new Map(
      Array.from(document.querySelectorAll("[data-keep-scroll]"), (box) => [
        box.dataset.keepScroll,
        [box.scrollLeft, box.scrollTop],
      ]),
    );
    document.dispatchEvent(new Event("live:before"));
  };

  const settle = () => {
    isChanging = false;
    for (const box of document.querySelectorAll("[data-keep-scroll]")) {
      const [left, top] = places.get(box.dataset.keepScroll) ?? [0, 0];
      box.scrollLeft = left;
      box.scrollTop = top;
    }
    for (const part of document.querySelectorAll("[data-keep-open]")) part.open = opened.includes(part.dataset.keepOpen);
    offerFind();
    document.dispatchEvent(new Event("live:after"));
    for (const row of rows()) {
      if (before.get(keyOf(row)) !== textOf(row)) row.classList.add("is-fresh");
    }
  };

  /* Differences */
  const draw = (part, told) => {
    if (!told.change) return;
    const often = part.getAttribute("hx-trigger");
    const focused = document.activeElement;
    remember();
    try {
      if (part.textContent.length !== told.was) throw new RangeError("the part is not what was sent");
      change(part, told.change);
    } catch {
      /* Something else has changed the page, a translator perhaps. The next answer is the whole part. */
      delete part.dataset.base;
      delete part.dataset.tag;
      setTimeout(() => window.htmx.trigger(part, "look"));
    }
    if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
    if (part.getAttribute("hx-trigger") !== often) window.htmx.process(part);
    settle();
  };

  const change = (node, told) => {
    if (typeof told === "string") {
      node.data = told;
      return;
    }
    const [children, attributes] = told;
    for (const [name, value] of Object.entries(attributes ?? {})) assign(node, name, value);
    if (typeof children === "string") node.textContent = children;
    else if (Array.isArray(children)) arrange(node, children);
    else if (children) {
      const former = Array.from(node.childNodes);
      for (const [at, one] of Object.entries(children)) change(former[at], one);
    }
  };

  /* Names come in small letters, and those of a drawing may have others. */
  const assign = (element, small, value) => {
    const name = Array.from(element.attributes, (one) => one.name).find((one) => one.toLowerCase() === small) ?? small;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  };

  /* What stands in an element now, from its former children and new markup. Whatever is in its place is not touched,
     so that it keeps what a reader did with it. */
  const arrange = (parent, told) => {
    const former = Array.from(parent.childNodes);
    const now = told.flatMap((one) => {
      if (typeof one === "number") return [former[one]];
      if (typeof one === "string") return Array.from(fragment(parent, one).childNodes);
      const [first, second] = one;
      if (typeof second === "number") return former.slice(first, second + 1);
      change(former[first], second);
      return [former[first]];
    });
    let at = parent.firstChild;
    for (const node of now) {
      if (node === at) at = at.nextSibling;
      else parent.insertBefore(node, at);
    }
    while (at) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  };

  const fragment = (parent, markup) => {
    const range = document.createRange();
    range.selectNodeContents(parent);
    return range.createContextualFragment(markup);
  };

  /* Connection */
  const lose = (event) => {
    if (event.detail.elt !== shown() || !lost) return;
    const asOf = shown().dataset.asOf || asked;
    lost.textContent = asOf ? lost.dataset.asOf.replace("{time}", () => asOf) : lost.dataset.earlier;
    lost.hidden = false;
  };
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) document.addEventListener(name, lose);
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (!elt.matches("[data-live]") || ![200, 304].includes(xhr?.status)) return;
    if (lost) lost.hidden = true;
    tellTime(xhr.getResponseHeader("Date"));
  });

  /* Hour and minute by the club's clock, with its offset where this browser does not know the zone. */
  const hour = (when, timeZone) => {
    const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    try {
      return new Intl.DateTimeFormat(document.documentElement.lang, { ...form, timeZone }).format(when);
    } catch {
      return `${new Intl.DateTimeFormat("en", { ...form, timeZone: "UTC" }).format(when)} UTC`;
    }
  };

  /* Where a page does not say itself what it holds: when it was last asked for. */
  const tellTime = (moment) => {
    const line = document.querySelector("[data-live-time]");
    if (!line || !moment) return;
    asked = hour(new Date(moment), line.dataset.zone);
    line.textContent = line.dataset.liveTime.replace("{time}", () => asked);
    line.hidden = false;
  };
  tellTime(document.querySelector("[data-live-time]")?.dataset.now);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && shown() && window.htmx) window.htmx.trigger(shown(), "look");
  });

  /* Find a player */
  const find = () => {
    const text = wanted.trim().toLocaleLowerCase();
    for (const row of document.querySelectorAll("#board .standings tbody tr")) {
      row.hidden = text !== "" && !row.querySelector(".c-name").textContent.toLocaleLowerCase().includes(text);
    }
  };
  const offerFind = () => {
    const place = document.querySelector("[data-find]");
    const input = document.querySelector("[data-find-input]");
    if (!place || !input) return;
    place.hidden = false;
    input.value = wanted;
    find();
  };
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-find-input]")) return;
    wanted = event.target.value;
    find();
  });
  offerFind();
})();
