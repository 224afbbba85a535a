/* Deals are kept on this device until the server has stored them, and go in order. */
(() => {
  "use strict";
  const box = document.querySelector("[data-outbox]");
  if (!box || !window.indexedDB) return;
  const form = document.querySelector("form[data-scorer]");
  const told = box.dataset;
  const its = form?.dataset;
  const { actor, table, worker } = told;
  const MOST = 500;
  const PATIENCE = 12_000;
  const LEASE = 20_000;
  const SOONEST = 2_000;
  const LATEST = 60_000;
  const HERE = token();
  const STORES = { deals: "id", typing: "path", stored: "key", lease: "name" };
  const nothing = () => {};
  let wait = SOONEST;
  let timer = 0;
  let sending = null;
  let follows = 0;
  let replaces = 0;
  let isTouched = false;
  let isLeaving = false;
  const hasEnded = "ended" in told;

  function token() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  const ask = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  const opening = indexedDB.open("rummy", 1);
  opening.onupgradeneeded = () => {
    for (const [name, keyPath] of Object.entries(STORES)) opening.result.createObjectStore(name, { keyPath, autoIncrement: name === "deals" });
  };
  const database = ask(opening);

  async function kept(work, mode = "readwrite") {
    const names = Object.keys(STORES);
    const all = (await database).transaction(names, mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      all.oncomplete = resolve;
      all.onabort = () => reject(all.error);
    });
    const result = await work(Object.fromEntries(names.map((name) => [name, all.objectStore(name)])));
    await done;
    return result;
  }

  const seen = (work) => kept(work, "readonly");
  const everyDeal = () => seen(({ deals }) => ask(deals.getAll()));
  const ofTable = (deals) => deals.filter((deal) => deal.table === table);
  const inOrder = (deals) => deals.sort((one, other) => one.version - other.version);
  // Whoever may score here sends what waits for this table, but nobody as another seat unasked.
  const cardOf = (name) => /^table:[^:]*(.*)/.exec(name);
  const seatOf = (name) => cardOf(name)?.[1] || "";
  const ours = (deals) => ofTable(deals).filter((deal) => seatOf(deal.actor) === seatOf(actor));
  const mine = (deals) => deals.filter((deal) => deal.actor === actor || ours([deal]).length);
  const isOwn = (typed) => typed?.actor === actor || (cardOf(actor) && cardOf(typed?.actor) && ours([typed]).length);

  async function leave(deals, id, version) {
    deals.delete(id);
    const next = (await ask(deals.getAll())).find((other) => other.follows === id);
    if (next) deals.put({ ...next, version, follows: 0 });
  }

  // One sender for all tabs.
  const hasTurn = () => kept(async ({ lease }) => {
    const now = Date.now();
    const held = await ask(lease.get("sender"));
    if (held?.until > now && held.until <= now + LEASE && held.holder !== HERE) return false;
    lease.put({ name: "sender", holder: HERE, until: now + LEASE });
    return true;
  });

  const giveUpTurn = () => kept(async ({ lease }) => {
    if ((await ask(lease.get("sender")))?.holder === HERE) lease.delete("sender");
  });

  // Nothing is sent behind what was refused.
  function nextToSend(deals) {
    const stopped = new Set();
    return mine(deals).find((deal) => {
      if (deal.state === "refused") stopped.add(deal.table);
      return !stopped.has(deal.table);
    });
  }

  const part = (name) => box.querySelector(`[${name}]`);
  function body(fields, more) {
    const made = new URLSearchParams(fields);
    made.set("csrfmiddlewaretoken", part("name=csrfmiddlewaretoken").value);
    for (const name in more) made.set(name, more[name]);
    return made;
  }
  const sent = ({ fields, version }) => body(fields, { version });

  async function post(deal, isAtHand) {
    const stop = new AbortController();
    const patience = setTimeout(() => stop.abort(), PATIENCE);
    const headers = { Accept: "application/json", ...(isAtHand ? {} : { Prefer: "return=minimal" }) };
    try {
      const answer = await fetch(deal.path, { method: "POST", body: sent(deal), headers, redirect: "manual", signal: stop.signal });
      if (answer.type === "opaqueredirect" || [401, 403].includes(answer.status)) return { state: "signed_out" };
      // A hotspot answers too.
      const state = /^4(?!29)/.test(answer.status) ? "refused" : "lost";
      return /json/.test(answer.headers.get("Content-Type")) ? { state, ...await answer.json() } : { state };
    } catch {
      return { state: "lost" };
    } finally {
      clearTimeout(patience);
    }
  }

  // The answer is kept in the transaction that drops the deal.
  const noted = (deal, answer) => kept(async ({ deals, stored }) => {
    const { state, version } = answer;
    if (state === "refused") deals.put({ ...deal, state });
    else {
      stored.put({ ...deal, fields: 0, state, version, at: Date.now() });
      await leave(deals, deal.id, version);
    }
  });

  async function send(atHand = 0) {
    clearTimeout(timer);
    if (hasEnded) return show();
    while (sending) await sending;
    sending = sendAll(atHand).catch(() => later());
    const answer = await sending;
    sending = null;
    show().then(report).catch(nothing);
    return answer;
  }

  async function report() {
    if (document.hidden || hasEnded) return;
    const deals = ofTable(await everyDeal());
    const device = (localStorage.device ??= HERE);
    const oldest = deals.length && Date.now() - deals[0].at;
    const answer = await fetch(told.device, { method: "POST", body: body([], { device, waiting: deals.length, oldest }) });
    const version = Number(answer.headers.get("Table-Version"));
    if (version > (form ? field("version").value : told.version) && !isLeaving && !mine(await everyDeal()).length) renew();
  }

  // Somebody else has changed the table: a page on which nothing was typed shows it.
  function renew() {
    if (form ? its.goesOn && isBlankForm() : /[/](score|sheet|log)[/]$/.test(location.pathname)) {
      location.replace(location.pathname + location.search);
      return;
    }
    part("data-changed").hidden = box.hidden = false;
    if (form) heard();
  }

  async function sendAll(atHand) {
    let said = {};
    for (let deal = nextToSend(await everyDeal()); deal; deal = nextToSend(await everyDeal())) {
      if (!(await hasTurn())) return later();
      // Not read out at each try.
      if (!told.trouble) show(deal.id);
      const answer = await post(deal, deal.id === atHand);
      told.trouble = /lost|signed_out|busy/.test(answer.state) ? answer.state : "";
      if (told.trouble) {
        await giveUpTurn();
        return answer.state === "signed_out" ? {} : later();
      }
      wait = SOONEST;
      await noted(deal, answer);
      if (deal.id === atHand) said = answer;
      if (form && deal.id === follows && answer.version) goOnFrom(answer.version);
    }
    await giveUpTurn();
    return said;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(send, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LATEST);
    return {};
  }

  function atOnce() {
    wait = SOONEST;
    send();
  }

  const field = (name) => form.querySelector(`[name="${name}"]`);
  const fieldsOf = () => [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  const isChoice = (control) => /checkbox|radio/.test(control.type);
  const keepTyping = () => kept(({ typing }) => typing.put({ path: its.path, actor, table, deal: field("deal").value, fields: fieldsOf() }));
  const heard = () => form.dispatchEvent(new Event("input", { bubbles: true }));

  function fill(fields) {
    for (const control of form.elements) {
      if (!control.name || /hidden|submit/.test(control.type)) continue;
      const values = fields.filter(([name]) => name === control.name).map(([, value]) => value);
      if (isChoice(control)) control.checked = values.includes(control.value);
      else if (values.length) [control.value] = values;
    }
    heard();
  }

  const isBlankForm = () => ![...form.elements].some((control) => (isChoice(control) ? control.checked : control.type === "text" && control.value));

  // Newer totals, nothing typed: the page anew.
  function goOnFrom(version) {
    follows = 0;
    field("version").value = version;
    if (isBlankForm() && navigator.onLine && version !== +told.version) location.assign(its.path);
  }

  function readyAfter(deal, keeps) {
    const next = String(Number(deal.deal) + 1);
    for (const control of keeps ? [] : form.elements) {
      if (isChoice(control)) control.checked = false;
      else if (control.type === "text") control.value = "";
      else if (control.options) control.selectedIndex = 0;
    }
    const number = field("deal");
    if (number.tagName === "SELECT") number.replaceChildren(new Option(next, next));
    number.value = next;
    field("version").value = deal.version + 1;
    field("key").value = token();
    follows = deal.id;
    for (const node of document.querySelectorAll("[data-says]")) node.textContent = node.dataset.says.replace("{deal}", next);
    heard();
    if (keeps) return;
    scrollTo(0, 0);
    form.querySelector("[data-count], [data-stop]")?.focus({ preventScroll: true });
  }

  async function save() {
    isLeaving = true;
    const deal = {
      actor, table, label: told.label, follows, path: its.path, deal: field("deal").value, key: field("key").value,
      version: Number(field("version").value), fields: [...fieldsOf(), ["do", "save"]], state: "waiting", at: Date.now(),
    };
    if (replaces) deal.id = replaces;
    deal.id = await kept(async ({ deals, typing }) => {
      if ((await ask(deals.count())) >= MOST) throw new RangeError();
      typing.delete(deal.path);
      return ask(deals.put(deal));
    });
    const { url } = await send(deal.id);
    const left = (await everyDeal()).find(({ id }) => id === deal.id);
    if (!left) location.assign(url || deal.path);
    else if (left.state === "refused" || told.trouble === "signed_out") look(left);
    else stay(left);
  }

  function stay(deal) {
    if (its.goesOn) readyAfter(deal);
    else replaces = deal.id;
    isHere();
  }

  // Save stays busy while another page is on its way.
  const isHere = () => {
    isLeaving = false;
    form.dispatchEvent(new Event("saved"));
  };

  function saveAnyway() {
    if (navigator.onLine) {
      form.append(hidden("do", "save"));
      form.submit();
      return;
    }
    box.hidden = part("data-full").hidden = false;
    isHere();
  }

  const make = (tag, values) => Object.assign(document.createElement(tag), values);
  const hidden = (name, value) => make("input", { type: "hidden", name, value });

  // The server's page shows both sheets.
  function look(deal) {
    const again = make("form", { method: "post", action: deal.path });
    again.append(...[...sent(deal)].map(([name, value]) => hidden(name, value)));
    document.body.append(again);
    again.submit();
  }

  function line(deal, said) {
    const time = new Date(deal.at).toLocaleTimeString([], { timeStyle: "short" });
    const item = make("li", { className: deal.state, textContent: said.replace("{deal}", deal.deal).replace("{time}", time) });
    const add = (name, act) => {
      const button = part(`data-${name}`).firstChild.cloneNode(true);
      button.addEventListener("click", () => act(deal));
      item.append(" ", button);
    };
    if (deal.table !== table) item.prepend(make("a", { href: deal.path, textContent: deal.label || told.elsewhere }), " ");
    else if (deal.fields && deal.state === "refused" && !hasEnded) add("look", look);
    if (deal.fields) add("drop", drop);
    return item;
  }

  async function drop(deal) {
    if (!confirm(told.sure.replace("{deal}", deal.deal))) return;
    await kept(({ deals }) => leave(deals, deal.id, deal.version));
    if (deal.id === replaces) location.assign(its.path);
    else if (form && deal.id === follows) readyAfter({ deal: deal.deal - 1, version: deal.version - 1, id: deal.follows }, true);
    send();
  }

  async function sendAsMine() {
    await kept(async ({ deals }) => {
      for (const deal of ofTable(await ask(deals.getAll()))) deals.put({ ...deal, actor });
    });
    atOnce();
  }

  // Another device reads it.
  async function toFile() {
    const deals = ofTable(await everyDeal()).map((deal) => {
      const text = sent(deal);
      text.delete("csrfmiddlewaretoken");
      return text.toString();
    });
    const href = URL.createObjectURL(new Blob([JSON.stringify({ table, deals })], { type: "application/json" }));
    make("a", { href, download: told.file }).click();
  }

  async function show(now = 0) {
    const [deals, stored] = await seen((stores) => Promise.all([ask(stores.deals.getAll()), ask(stores.stored.getAll())]));
    const lines = [
      ...inOrder(ofTable(stored)).slice(-5).map((deal) => line(deal, told[deal.state ?? "stored"])),
      ...deals.map((deal) => line(deal, told[deal.id === now ? "sent" : deal.state])),
    ];
    const list = make("ol");
    const former = box.querySelector("ol");
    list.append(...lines);
    if (list.textContent !== former.textContent) former.replaceWith(list);
    const waiting = mine(deals).length;
    for (const name of ["lost", "busy"]) part(`data-${name}`).hidden = !waiting || told.trouble !== name;
    part("data-signed-out").hidden = !waiting || !(hasEnded || told.trouble === "signed_out");
    part("data-other-seat").hidden = ofTable(deals).length === ours(deals).length;
    part("data-tools").hidden = !ofTable(deals).length;
    part("data-send").hidden = hasEnded;
    box.hidden = !lines.length && !told.trouble && part("data-changed").hidden;
  }

  async function begin() {
    const since = await kept(async ({ stored }) => {
      const known = inOrder(ours(await ask(stored.getAll())));
      for (const deal of known) if (deal.version <= told.version) stored.delete(deal.key);
      return known.filter((deal) => deal.version > told.version).at(-1);
    });
    if (form) await beginForm(since && { ...since, version: since.version - 1, id: 0 });
  }

  async function beginForm(since) {
    const deals = ours(await everyDeal());
    const typed = await seen(({ typing }) => ask(typing.get(its.path)));
    const keeps = isTouched;
    const isBlank = !keeps && !("filled" in its);
    const version = Number(field("version").value);
    const isWrong = (deal) => deal.state === "refused" && deal.path === its.path && deal.version === version;
    // What was refused comes first.
    const again = deals.find((deal) => deal.key === its.answers || (isBlank && isWrong(deal)));
    replaces = again?.id || 0;
    if (again && isBlank) fill(again.fields);
    const last = its.goesOn && !again && (deals.at(-1) || since);
    if (last) readyAfter(last, keeps);
    if (isBlank && isOwn(typed) && typed.deal === field("deal").value) fill(typed.fields);
    document.querySelector("[data-discard]")?.addEventListener("click", async (event) => {
      if (!replaces) return;
      event.preventDefault();
      await kept((stores) => leave(stores.deals, replaces, version));
      location.assign(its.path);
    });
  }

  // With HTTPS the page opens without network.
  async function keepPage() {
    await navigator.serviceWorker?.register(worker, { scope: location.pathname.replace(/tournaments\/.*/, "") });
    if (!form || !navigator.serviceWorker) return;
    const keep = async (name, url) => {
      const cache = await caches.open(name);
      if (!(await cache.match(url, { ignoreVary: true }))) await cache.add(url);
    };
    for (const node of document.querySelectorAll("script[src], link[rel=stylesheet]")) await keep("files", node.src || node.href);
    await keep("pages", location.href);
    await navigator.serviceWorker.ready;
    told.opens = "offline";
  }

  setInterval(() => report().catch(nothing), 15_000);
  addEventListener("online", atOnce);
  document.addEventListener("visibilitychange", () => document.hidden || atOnce());
  addEventListener("pageshow", (event) => event.persisted && atOnce());
  part("data-send").addEventListener("click", sendAsMine);
  part("data-to-file").addEventListener("click", toFile);
  keepPage().catch(nothing);
  const ready = begin();
  form?.addEventListener("input", () => {
    isTouched = true;
    ready.then(keepTyping).catch(nothing);
  });
  form?.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.submitter?.matches("[value=save]:not([formaction])")) return;
    event.preventDefault();
    ready.then(save).catch(saveAnyway);
  });
  ready.then(() => send()).catch(() => { box.hidden = true; });
})();
