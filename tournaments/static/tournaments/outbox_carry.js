/* Deals that cannot be sent leave this device as a code or as the file of outbox.js, and another device takes them in. It puts them into
   its own outbox, under their keys: what arrives twice is stored once. */
const part = document.querySelector("[data-carry]");
const { actor, table, path, encoder } = part.dataset;
const place = (name) => part.querySelector(`[data-${name}]`);
const START = "#deal=";
const KNOWN = ["key", "deal", "version"];

const ask = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const inDeals = async (work, mode) => {
  const all = (await ask(indexedDB.open("rummy", 1))).transaction("deals", mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => Object.assign(all, { oncomplete: resolve, onabort: () => reject(all.error) }));
  const result = await work(all.objectStore("deals"));
  await done;
  return result;
};

const waiting = async (deals) => (await ask(deals.getAll())).filter((deal) => deal.table === table);

/* A deal as its form would be sent, with the version it was typed against; empty fields would make a code dense. */
const written = (deal) => {
  const fields = new URLSearchParams(deal.fields.filter(([, value]) => value));
  fields.set("version", deal.version);
  return fields.toString();
};

const read = (text) => {
  const fields = new URLSearchParams(text);
  if (!KNOWN.every((name) => fields.get(name))) throw new RangeError();
  const [key, deal, version] = KNOWN.map((name) => fields.get(name));
  return { actor, table, path, key, deal, version: Number(version), fields: [...fields], state: "waiting", at: Date.now() };
};

const takeIn = (texts) => inDeals(async (deals) => {
  const known = new Set((await waiting(deals)).map((deal) => deal.key));
  let follows = 0;
  for (const deal of texts.map(read)) if (!known.has(deal.key)) follows = await ask(deals.put({ ...deal, follows }));
}, "readwrite");

const say = (name) => {
  for (const each of part.querySelectorAll("[data-said]")) each.hidden = each.dataset.said !== name;
};

/* The outbox looks after what is there when the network comes back; it came back. */
const taken = async (texts) => {
  await takeIn(texts);
  say("taken");
  dispatchEvent(new Event("online"));
};

const offerOut = async () => {
  const deals = await inDeals(waiting, "readonly");
  place("out").hidden = !deals.length;
  if (!deals.length) return;
  const texts = deals.map(written);
  const { generate } = await import(encoder);
  let at = 0;
  const draw = () => {
    const address = `${location.origin}${path}${START}${encodeURIComponent(texts[at])}`;
    generate(address).toCanvas(place("code"), { off: [255, 255, 255] });
    place("which").textContent = place("which").dataset.which.replace("{deal}", deals[at].deal);
    place("next").hidden = texts.length < 2;
  };
  place("next").addEventListener("click", () => {
    at = (at + 1) % texts.length;
    draw();
  });
  draw();
};

const offerIn = () => {
  place("file").addEventListener("change", async ({ target }) => {
    try {
      const kept = JSON.parse(await target.files[0].text());
      if (kept.table !== table) say("other");
      else await taken(kept.deals);
    } catch {
      say("broken");
    }
    target.value = "";
  });
  if (!location.hash.startsWith(START)) return;
  const text = decodeURIComponent(location.hash.slice(START.length));
  history.replaceState(null, "", location.pathname);
  const { deal } = read(text);
  place("asked").textContent = place("asked").dataset.asked.replace("{deal}", deal);
  place("in").hidden = false;
  place("take").addEventListener("click", () => {
    place("in").hidden = true;
    taken([text]).catch(() => say("broken"));
  });
};

offerOut().catch(() => {});
try {
  offerIn();
} catch {
  say("broken");
}
