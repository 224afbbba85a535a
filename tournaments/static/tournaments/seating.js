/* The draft of a seating: pick a player, then a seat; by dragging, tapping or with the keys alone.

   What a change breaks is told by the server with the new seating. Without this file the two lists below the tables do
   the same. */
(() => {
  "use strict";
  const part = document.querySelector("[data-part]");
  const wishes = document.querySelector("form.wishes");
  if (!part) return;
  let picked = "";
  let isSending = false;
  let typed = "";
  let typedAt = 0;
  const TYPING = 900;

  const board = () => part.querySelector("[data-board]");
  const seats = () => [...part.querySelectorAll("[data-player]")];
  const seatOf = (key) => seats().find((seat) => seat.dataset.player === key);
  const nameOf = (seat) => seat.querySelector("bdi").textContent;

  function say(key, parts = {}) {
    const line = part.querySelector("[data-said]");
    if (line) line.textContent = key ? line.dataset[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]) : "";
  }

  function pick(seat) {
    picked = seat ? seat.dataset.player : "";
    for (const one of seats()) one.setAttribute("aria-pressed", String(one.dataset.player === picked));
    for (const target of part.querySelectorAll("[data-to]")) target.hidden = !picked;
    if (board()) board().classList.toggle("is-picking", Boolean(picked));
    if (picked) say("picked", { name: nameOf(seat) });
    else say("");
  }

  async function send(act, more = {}) {
    const form = board();
    if (!form || isSending) return;
    isSending = true;
    const body = new FormData(form);
    for (const [name, value] of Object.entries({ do: act, part: "1", ...more })) body.set(name, value);
    try {
      const answer = await fetch(window.location.pathname, { method: "POST", body, credentials: "same-origin" });
      if (answer.redirected || !(answer.headers.get("Content-Type") || "").includes("text/html")) throw new Error("elsewhere");
      if (![200, 409, 422].includes(answer.status)) throw new Error("refused");
      show(await answer.text());
    } catch {
      say("lost");
    }
    isSending = false;
  }

  function show(html) {
    part.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    const form = board();
    if (form && wishes) {
      wishes.elements.version.value = form.elements.version.value;
      const plan = wishes.querySelector("[data-plan]");
      if (plan && plan.value === plan.dataset.was) plan.value = plan.dataset.was = form.dataset.planNow;
    }
    wake();
  }

  async function place(key, to) {
    const name = nameOf(seatOf(key));
    pick(null);
    await send("place", { player: key, to });
    const seat = seatOf(key);
    if (!seat) return;
    seat.focus();
    const table = seat.closest("section");
    if (table) say("sits", { name, table: table.getAttribute("aria-label") });
    else say("nowhere", { name });
  }

  function chosen(target) {
    typed = "";
    if (target.dataset.to) place(picked, target.dataset.to);
    else if (!picked) pick(target);
    else if (target.dataset.player === picked) pick(null);
    else place(picked, `player:${target.dataset.player}`);
  }

  part.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]");
    const target = event.target.closest("[data-player], [data-to]");
    if (act) {
      event.preventDefault();
      const name = act.dataset.act;
      send(name).then(() => {
        const again = part.querySelector(`[data-act="${name}"]:not([disabled])`) || seats()[0];
        if (again) again.focus();
      });
    } else if (target) {
      chosen(target);
    }
  });

  part.addEventListener("keydown", (event) => {
    if (event.key === "Escape") pick(null);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.matches("input, select")) {
      event.preventDefault();
      send(event.shiftKey ? "redo" : "undo");
      return;
    }
    if (!event.target.matches("[data-player], [data-to]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const all = [...part.querySelectorAll("[data-player], [data-to]:not([hidden])")];
      const next = all[all.indexOf(event.target) + step];
      if (next) next.focus();
    } else if (event.key.length === 1 && event.key !== " ") {
      find(event.key, event.timeStamp);
    }
  });

  function find(letter, at) {
    typed = at - typedAt < TYPING ? typed + letter : letter;
    typedAt = at;
    const wanted = typed.toLocaleLowerCase();
    const found = seats().find((seat) => nameOf(seat).toLocaleLowerCase().startsWith(wanted));
    if (found) found.focus();
    else if (typed.length > 1) typed = "";
  }

  part.addEventListener("dragstart", (event) => {
    const seat = event.target.closest("[data-player]");
    if (!seat) return;
    event.dataTransfer.setData("text/plain", seat.dataset.player);
    event.dataTransfer.effectAllowed = "move";
    // The page must not move under the hand before the drag has begun.
    window.setTimeout(() => pick(seat), 0);
  });
  part.addEventListener("dragend", () => pick(null));
  part.addEventListener("dragover", (event) => {
    const over = dropOf(event);
    for (const one of part.querySelectorAll(".is-over")) one.classList.toggle("is-over", one === over);
    if (!over) return;
    event.preventDefault();
    over.classList.add("is-over");
  });
  part.addEventListener("drop", (event) => {
    const over = dropOf(event);
    const key = event.dataTransfer.getData("text/plain");
    if (!over || !seatOf(key)) return;
    event.preventDefault();
    if (over.dataset.player !== key) place(key, over.dataset.to || `player:${over.dataset.player}`);
  });

  // A drop on a table beside its seats is a drop on its last seat.
  function dropOf(event) {
    const near = event.target.closest("[data-player], [data-to]");
    const table = event.target.closest(".seat-table");
    return near || (table && table.querySelector("[data-to]"));
  }

  function wake() {
    const help = part.querySelector("[data-pick-help]");
    if (help) help.hidden = false;
  }

  const plan = wishes && wishes.querySelector("[data-plan]");
  if (plan) plan.dataset.was = plan.value;
  wake();
})();
