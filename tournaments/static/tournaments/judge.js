/* The judge's page: keys for the cards, a tray to take them away again, and an address that keeps up with the ruling.

   No rule stands here: every ruling is asked of the server. Without this file the form is sent by its button. */
(() => {
  "use strict";
  const form = document.querySelector("[data-judge]");
  if (!form) return;
  const picker = form.querySelector("[data-picker]");
  const fields = [...form.querySelectorAll("[data-cards]")];
  const groups = fields.filter((field) => field.name === "group");
  const said = document.querySelector("[data-said]");
  const lost = form.querySelector("[data-lost]");
  const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const OUTLINED = { "♤": "S", "♡": "H", "♢": "D", "♧": "C", "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const WORDS = /(?:10|[A2-9TJQK])[SHDC♠♥♦♣♤♡♢♧]|PJ|JK|[^\s,;]+/gi;
  const CARD = /^(10|[A2-9TJQK])([SHDC])$/;
  let target = fields.find((field) => field.value.trim() === "") ?? fields[0];
  let suit = "S";

  /* Cards in a field */
  const wordsOf = (field) => field.value.replace(/[\ufe0e\ufe0f]/g, "").match(WORDS) ?? [];
  const plain = (word) => word.toUpperCase().replace(/[♠♥♦♣♤♡♢♧]/g, (sign) => OUTLINED[sign]);

  const write = (field, words) => {
    field.value = words.join(" ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const add = (word) => write(target, [...wordsOf(target), word]);

  const part = (kind, text) => {
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = text;
    return span;
  };

  const chip = (field, word, index) => {
    const card = CARD.exec(plain(word));
    const isJoker = ["PJ", "JK"].includes(plain(word));
    const item = document.createElement("li");
    const button = document.createElement("button");
    const face = part("face-card", "");
    item.className = `face ${card ? `face-${NAMES[card[2]]}` : isJoker ? "face-joker" : "face-unknown"}`;
    if (card) face.append(part("face-rank", card[1].replace("T", "10")), part("face-sign", `${SIGNS[card[2]]}\ufe0e`));
    else face.append(part("face-rank", isJoker ? "★" : word.slice(0, 12)));
    button.type = "button";
    button.setAttribute("aria-label", `Take away ${isJoker ? "the printed joker" : word.slice(0, 12)}`);
    button.append(face);
    button.addEventListener("click", () => {
      write(field, wordsOf(field).filter((_, place) => place !== index));
      const left = trays.get(field).querySelectorAll("button");
      (left[Math.min(index, left.length - 1)] ?? field).focus();
    });
    item.append(button);
    return item;
  };

  const trays = new Map(
    fields.map((field) => {
      const tray = document.createElement("ul");
      tray.className = "faces tray";
      tray.setAttribute("role", "list");
      tray.setAttribute("aria-label", `Cards of ${field.dataset.cards}: press one to take it away`);
      field.after(tray);
      return [field, tray];
    }),
  );
  const draw = (field) => {
    trays.get(field).replaceChildren(...wordsOf(field).slice(0, 40).map((word, index) => chip(field, word, index)));
  };

  /* Keys */
  const aim = (field) => {
    target = field;
    for (const each of fields) each.classList.toggle("is-target", fields.length > 1 && each === field);
    picker.querySelector("[data-picker-target]").textContent = `Keys write to ${field.dataset.cards}.`;
  };
  const takeSuit = (letter) => {
    suit = letter;
    picker.dataset.tone = "HD".includes(letter) ? "red" : "black";
    for (const key of picker.querySelectorAll("[data-suit]")) {
      key.setAttribute("aria-pressed", String(key.dataset.suit === letter));
    }
    for (const key of picker.querySelectorAll("[data-rank]")) {
      key.textContent = `${key.dataset.text}${SIGNS[letter]}\ufe0e`;
      key.setAttribute("aria-label", `${key.dataset.text} of ${NAMES[letter]}`);
    }
  };
  picker.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    if (key.dataset.suit) takeSuit(key.dataset.suit);
    else if (key.dataset.rank) add(key.dataset.rank + suit);
    else if ("joker" in key.dataset) add("PJ");
    else if ("undo" in key.dataset) write(target, wordsOf(target).slice(0, -1));
    else if ("next" in key.dataset) aim(fields[(fields.indexOf(target) + 1) % fields.length]);
  });
  form.addEventListener("focusin", (event) => {
    if (fields.includes(event.target)) aim(event.target);
  });
  form.addEventListener("input", (event) => {
    if (fields.includes(event.target)) draw(event.target);
  });

  /* A whole show pasted at once, a group a line, is dealt out to the fields. */
  form.addEventListener("paste", (event) => {
    const lines = (event.clipboardData?.getData("text") ?? "").split(/[\r\n|]+/).filter((line) => line.trim());
    const from = groups.indexOf(event.target);
    if (from < 0 || lines.length < 2 || lines.length > groups.length - from) return;
    event.preventDefault();
    lines.forEach((line, index) => write(groups[from + index], line.match(WORDS) ?? []));
  });

  /* The ruling, and a line that says it while it is below the window */
  const ruling = () => document.querySelector("#ruling");
  const peek = document.querySelector("[data-peek]");
  const watch = new IntersectionObserver((entries) => {
    const entry = entries.at(-1);
    const isEmpty = entry.target.dataset.held.startsWith("0 ");
    peek.hidden = isEmpty || entry.isIntersecting || entry.boundingClientRect.top < 0;
  });
  const refresh = () => {
    const shown = ruling();
    for (const tab of document.querySelectorAll("[data-tab]")) tab.href = shown.dataset[tab.dataset.tab];
    form.querySelector("[data-held-shown]").textContent = shown.dataset.held;
    for (const field of fields) {
      const note = document.getElementById(`note-${field.id}`);
      if (note?.classList.contains("note-bad")) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    peek.querySelector("[data-peek-title]").textContent = shown.dataset.verdict;
    watch.disconnect();
    watch.observe(shown);
    const copy = shown.querySelector("[data-copy]");
    if (copy) copy.hidden = !navigator.clipboard;
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "ruling") return;
    refresh();
    const shown = ruling();
    if (said.textContent !== shown.dataset.summary) said.textContent = shown.dataset.summary;
    if (shown.dataset.own) history.replaceState(null, "", shown.dataset.own);
    document.title = shown.dataset.title;
    lost.hidden = true;
  });
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(name, () => { lost.hidden = false; });
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(ruling().querySelector("[data-link]").href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy the address above";
    }
  });

  picker.hidden = false;
  fields.forEach(draw);
  aim(target);
  takeSuit(suit);
  refresh();
})();
