/* The scorer's page: keys instead of clicks, and what will happen while it is typed.

   No rule of the game stands here: keys come from the page, the preview is asked of the server. Without this file
   the page works by its buttons. */
(() => {
  "use strict";
  const form = document.querySelector("[data-scorer]");
  if (!form) return;
  const rows = [...form.querySelectorAll("[data-row]")];
  const preview = document.querySelector("[data-preview]");
  const save = form.querySelector("[data-save]");
  const reason = form.querySelector("#reason");
  const dialog = document.querySelector("[data-keys]");
  const pad = form.querySelector("[data-pad]")?.content.firstElementChild;
  const phone = matchMedia("(max-width: 47.9375em)");
  const most = Number(form.dataset.most) || 0;
  // What was said of the deal before makes room for this one.
  const TOLD = ".messagelist :is(.success, .info)";
  const PATIENCE = 180;
  let isSending = false;
  let timer = 0;
  let asked = 0;
  // The row to which the page went on by itself, until the next key.
  let reached = null;

  const countOf = (row) => row.querySelector("[data-count]");
  const radios = (row) => [...row.querySelectorAll("input[type=radio]")];
  const picked = (row) => radios(row).find((radio) => radio.checked);
  const isFilled = (row) => Boolean(countOf(row).value || picked(row));

  // No further digit could follow: ten times as much is more than anybody can lose in one deal.
  function isWhole(count) {
    const value = Number(count.value);
    return most > 0 && value <= most && (value * 10 > most || count.value.length >= String(most).length);
  }

  function choose(row, radio) {
    radio.checked = true;
    const more = radio.closest("details");
    if (more) more.open = true;
    changed(row, radio);
  }

  function changed(row, radio) {
    const count = countOf(row);
    const isCounted = radio.dataset.takes === "counted";
    if (!isCounted) count.value = "";
    else if (radio !== document.activeElement || !pad.hidden) count.focus({ preventScroll: true });
    tellRows();
    askSoon();
    return isCounted;
  }

  function clear(row) {
    radios(row).forEach((radio) => { radio.checked = false; });
    tellRows();
    askSoon();
  }

  function goTo(row) {
    open(row);
    countOf(row).focus({ preventScroll: true });
    countOf(row).select();
    row.scrollIntoView({ block: "nearest" });
  }

  function finish() {
    if (reason && !reason.value) reason.focus();
    else save.focus({ preventScroll: true });
  }

  function move(row, step) {
    const next = rows[rows.indexOf(row) + step];
    if (next) goTo(next);
    else if (step > 0) finish();
  }

  // On to what is still to be said: below, then above, then nothing but to save.
  function goOn(row) {
    const here = rows.indexOf(row);
    reached = [...rows.slice(here + 1), ...rows.slice(0, here)].find((one) => !isFilled(one));
    if (reached) goTo(reached);
    else finish();
  }

  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.target === reason)) {
      event.preventDefault();
      form.requestSubmit(save);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target.closest("[data-row]");
    if (event.key === "Enter" && !row && event.target.matches("input:not([data-stop])")) {
      event.preventDefault();
      finish();
    }
    if (!row || event.target.matches("summary, button")) return;
    // Who presses Enter or Next behind each number, as before, passes nobody over.
    const isThereAlready = event.key === "Enter" && row === reached;
    reached = null;
    const letter = event.key.toLowerCase();
    const radio = radios(row).find((one) => one.dataset.letter === letter);
    if (radio) {
      event.preventDefault();
      choose(row, radio);
      if (radio.dataset.takes !== "counted") goOn(row);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!isThereAlready) move(row, 1);
    } else if (event.target.matches("[data-count]") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(row, event.key === "ArrowDown" ? 1 : -1);
    } else if (/^[0-9]$/.test(event.key) && event.target.matches("input[type=radio]")) {
      event.preventDefault();
      const count = countOf(row);
      count.focus();
      count.value = event.key;
      count.dispatchEvent(new Event("input", { bubbles: true }));
    } else if ((event.key === "Backspace" || event.key === "Delete") && !countOf(row).value) {
      clear(row);
    }
  });

  function counted(row) {
    const loss = radios(row).find((one) => one.dataset.takes === "counted");
    const now = picked(row);
    if (countOf(row).value && now?.dataset.takes !== "counted") loss.checked = true;
    if (!countOf(row).value && now === loss) loss.checked = false;
  }

  form.addEventListener("input", (event) => {
    const row = event.target.closest("[data-row]");
    if (row && event.target.matches("[data-count]")) {
      counted(row);
      if (event.inputType?.startsWith("insert") && isWhole(event.target)) goOn(row);
    } else if (row && event.target.matches("input[type=radio]")) {
      if (!changed(row, event.target) && !pad.hidden) goOn(row);
      return;
    }
    tellRows();
    askSoon();
  });

  // On a phone one seat is open at a time; keys for its digits stay in their place, and no keyboard rises over the page.
  const current = () => rows.find((row) => row.matches(".is-current"));

  function open(row) {
    for (const one of rows) one.classList.toggle("is-current", one === row);
  }

  function fit() {
    pad.hidden = !phone.matches;
    for (const row of rows) countOf(row).inputMode = phone.matches ? "none" : "numeric";
    tellRows();
  }

  // A seat that is folded says in its field how the deal ended for it.
  function tellRows() {
    if (phone.matches && rows.some(isFilled)) document.querySelectorAll(TOLD).forEach((line) => line.remove());
    for (const row of rows) {
      const said = phone.matches && picked(row)?.nextElementSibling.firstChild.textContent.trim();
      row.classList.toggle("is-said", Boolean(said));
      countOf(row).placeholder = said || countOf(row).dataset.asks;
    }
  }

  function press(key, row) {
    const count = countOf(row);
    const isThereAlready = row === reached;
    reached = null;
    if (key === "next") {
      if (!isThereAlready) move(row, 1);
      return;
    }
    const [from, to] = [count.selectionStart, count.selectionEnd];
    if (key !== "back") count.setRangeText(key, from, to, "end");
    else if (from === to) count.setRangeText("", Math.max(0, from - 1), to, "end");
    else count.setRangeText("", from, to, "end");
    if (key === "back" && !count.value) clear(row);
    const inputType = key === "back" ? "deleteContentBackward" : "insertText";
    count.dispatchEvent(new InputEvent("input", { bubbles: true, inputType }));
  }

  form.classList.add("is-live");
  if (pad) {
    form.querySelector(".deal-foot").append(pad);
    for (const row of rows) countOf(row).dataset.asks = countOf(row).placeholder;
    phone.addEventListener("change", fit);
    fit();
    open(rows.find((row) => row.matches(".is-wrong")) || rows[0]);
    form.addEventListener("focusin", (event) => {
      const row = event.target.closest("[data-row]");
      if (row && !row.matches(".is-current")) open(row);
    });
    form.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row && !pad.hidden && event.target.closest(".seat-name, .seat-stand")) goTo(row);
    });
    pad.addEventListener("pointerdown", (event) => event.preventDefault());
    pad.addEventListener("click", (event) => {
      const key = event.target.closest("[data-press]");
      if (key) press(key.dataset.press, current());
    });
  }

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input[type=text], textarea, select") && !event.target.matches("[data-count]");
    if (event.key === "?" && !isTyping && dialog && !dialog.open) {
      event.preventDefault();
      dialog.showModal();
    }
  });
  document.querySelectorAll("[data-open-keys]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => dialog.showModal());
  });

  function askSoon() {
    window.clearTimeout(timer);
    timer = window.setTimeout(ask, PATIENCE);
  }
  window.addEventListener("online", askSoon);

  async function ask() {
    const mine = ++asked;
    preview.classList.add("is-waiting");
    try {
      const answer = await fetch(form.dataset.previewUrl, { method: "POST", body: new FormData(form), credentials: "same-origin" });
      if (mine !== asked) return;
      if (answer.ok && !answer.redirected) show(await answer.text());
      else say(preview.dataset.refused);
    } catch {
      if (mine === asked) say(preview.dataset.lost);
    }
    preview.classList.remove("is-waiting");
  }

  function say(text) {
    const line = document.createElement("p");
    line.className = "still";
    line.textContent = text;
    preview.replaceChildren(line);
  }

  function show(html) {
    preview.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    for (const cell of form.querySelectorAll("[data-after]")) {
      const then = preview.querySelector(`[data-then="${cell.dataset.after}"]`);
      cell.replaceChildren(...(then ? [...then.childNodes].map((node) => node.cloneNode(true)) : []));
    }
  }

  // A second press while the first is on its way sends nothing; the server would store it once anyway.
  form.addEventListener("submit", (event) => {
    if (isSending) event.preventDefault();
    isSending = true;
    save.setAttribute("aria-busy", "true");
  });
  const isSent = () => {
    isSending = false;
    save.removeAttribute("aria-busy");
  };
  window.addEventListener("pageshow", isSent);
  form.addEventListener("saved", isSent);

  const waiting = document.querySelector("[data-focus]");
  if (waiting) {
    waiting.focus();
  } else if (rows.length) {
    goTo(rows.find((row) => countOf(row).value) || rows[0]);
  }
  if (rows.some(isFilled) || form.matches("[data-filled]")) ask();
})();
