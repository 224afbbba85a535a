/* Keys for the cards of a hand, and a tray under each field to take them away again.

   Works on every [data-card-fields] with its [data-cards]; the keys stand in it or come from a template. A hand that
   is folded away is set up when it is first opened. No rule stands here. Without this file cards are typed. */
(() => {
  "use strict";
  const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const NAMES = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const OUTLINED = { "♤": "S", "♡": "H", "♢": "D", "♧": "C", "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const WORDS = /(?:10|[A2-9TJQK])[SHDC♠♥♦♣♤♡♢♧]|PJ|JK|[^\s,;]+/gi;
  const CARD = /^(10|[A2-9TJQK])([SHDC])$/;

  /* Cards in a field */
  const wordsOf = (field) => field.value.replace(/[\ufe0e\ufe0f]/g, "").match(WORDS) ?? [];
  const plain = (word) => word.toUpperCase().replace(/[♠♥♦♣♤♡♢♧]/g, (sign) => OUTLINED[sign]);
  const write = (field, words) => {
    field.value = words.join(" ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const part = (kind, text) => {
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = text;
    return span;
  };

  const chip = (field, tray, word, index, words) => {
    const card = CARD.exec(plain(word));
    const isJoker = ["PJ", "JK"].includes(plain(word));
    const item = document.createElement("li");
    const button = document.createElement("button");
    const face = part("face-card", "");
    item.className = `face ${card ? `face-${NAMES[card[2]]}` : isJoker ? "face-joker" : "face-unknown"}`;
    if (card) face.append(part("face-rank", card[1].replace("T", "10")), part("face-sign", `${SIGNS[card[2]]}\ufe0e`));
    else face.append(part("face-rank", isJoker ? "★" : word.slice(0, 12)));
    button.type = "button";
    button.setAttribute("aria-label", words.take.replace("{card}", () => (isJoker ? words.jokerName : word.slice(0, 12))));
    button.append(face);
    button.addEventListener("click", () => {
      write(field, wordsOf(field).filter((_, place) => place !== index));
      const left = tray.querySelectorAll("button");
      (left[Math.min(index, left.length - 1)] ?? field).focus();
    });
    item.append(button);
    return item;
  };

  const trayOf = (field, words) => {
    const tray = document.createElement("ul");
    tray.className = "faces tray";
    tray.setAttribute("role", "list");
    tray.setAttribute("aria-label", words.tray.replace("{field}", () => field.dataset.cards));
    field.after(tray);
    return tray;
  };

  const keysOf = (root) => {
    const own = root.querySelector("[data-picker]");
    if (own) return own;
    const copy = document.querySelector("template[data-picker-keys]").content.cloneNode(true).firstElementChild;
    (root.querySelector("[data-picker-place]") ?? root).append(copy);
    return copy;
  };

  function setUp(root) {
    const picker = keysOf(root);
    const words = picker.dataset;
    const fields = [...root.querySelectorAll("[data-cards]")];
    const groups = fields.filter((field) => "group" in field.dataset);
    const trays = new Map(fields.map((field) => [field, trayOf(field, words)]));
    let target = fields.find((field) => field.value.trim() === "") ?? fields[0];
    let suit = "S";

    const draw = (field) => {
      const tray = trays.get(field);
      tray.replaceChildren(...wordsOf(field).slice(0, 40).map((word, index) => chip(field, tray, word, index, words)));
    };
    const aim = (field) => {
      target = field;
      for (const each of fields) each.classList.toggle("is-target", fields.length > 1 && each === field);
      picker.querySelector("[data-picker-target]").textContent = words.target.replace("{field}", () => field.dataset.cards);
    };
    const takeSuit = (letter) => {
      suit = letter;
      const suitName = picker.querySelector(`[data-suit="${letter}"]`).getAttribute("aria-label");
      picker.dataset.tone = "HD".includes(letter) ? "red" : "black";
      for (const key of picker.querySelectorAll("[data-suit]")) {
        key.setAttribute("aria-pressed", String(key.dataset.suit === letter));
      }
      for (const key of picker.querySelectorAll("[data-rank]")) {
        key.textContent = `${key.dataset.text}${SIGNS[letter]}\ufe0e`;
        const said = { rank: key.dataset.text, suit: suitName };
        key.setAttribute("aria-label", words.card.replace(/\{(rank|suit)\}/g, (_, part) => said[part]));
      }
    };
    picker.addEventListener("click", (event) => {
      const key = event.target.closest("button");
      if (!key) return;
      if (key.dataset.suit) takeSuit(key.dataset.suit);
      else if (key.dataset.rank) write(target, [...wordsOf(target), key.dataset.rank + suit]);
      else if ("joker" in key.dataset) write(target, [...wordsOf(target), "PJ"]);
      else if ("undo" in key.dataset) write(target, wordsOf(target).slice(0, -1));
      else if ("next" in key.dataset) aim(fields[(fields.indexOf(target) + 1) % fields.length]);
    });
    root.addEventListener("focusin", (event) => {
      if (fields.includes(event.target)) aim(event.target);
    });
    root.addEventListener("input", (event) => {
      if (fields.includes(event.target)) draw(event.target);
    });

    /* A whole show pasted at once, a group a line, is dealt out to the fields. */
    root.addEventListener("paste", (event) => {
      const lines = (event.clipboardData?.getData("text") ?? "").split(/[\r\n|]+/).filter((line) => line.trim());
      const from = groups.indexOf(event.target);
      if (from < 0 || lines.length < 2 || lines.length > groups.length - from) return;
      event.preventDefault();
      lines.forEach((line, index) => write(groups[from + index], line.match(WORDS) ?? []));
    });

    picker.hidden = false;
    fields.forEach(draw);
    aim(target);
    takeSuit(suit);
  }

  for (const root of document.querySelectorAll("[data-card-fields]")) {
    if (root.matches("details:not([open])")) root.addEventListener("toggle", () => setUp(root), { once: true });
    else setUp(root);
  }
})();
