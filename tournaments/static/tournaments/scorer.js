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
  const incomplete = form.querySelector("[data-incomplete]");
  const reason = form.querySelector("#reason");
  const dialog = document.querySelector("[data-keys]");
  const pad = form.querySelector("[data-pad]")?.content.firstElementChild;
  const phone = matchMedia("(max-width: 47.9375em)");
  const most = Number(form.dataset.most) || 0;
  // What was said of the deal before makes room for this one.
  const TOLD = ".messagelist :is(.success, .info)";
  const PATIENCE = 180;
  // How long Save waits for a preview of what was typed last. Without one the sheet is sent, and the server checks it.
  const LONGEST = 1_000;
  let isSending = false;
  let isBehind = false;
  let isSeen = false;
  let timer = 0;
  let asked = 0;
  // The row to which the page went on by itself, until the next key.
  let reached = null;

  const countOf = (row) => row.querySelector("[data-count]");
  const radios = (row) => [...row.querySelectorAll("input[type=radio]")];
  const picked = (row) => radios(row).find((radio) => radio.checked);
  const hasCards = (node) => [...node.querySelectorAll("[data-cards]")].some((cards) => cards.value.trim());
  const isFilled = (row) => Boolean(countOf(row).value || picked(row) || hasCards(row));

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

  // On to what is still to be said: below, then above. Never to Save: whoever presses Enter behind each number would
  // save unseen.
  function goOn(row) {
    const here = rows.indexOf(row);
    reached = [...rows.slice(here + 1), ...rows.slice(0, here)].find((one) => !isFilled(one));
    if (reached) goTo(reached);
    else if (reason && !reason.value) reason.focus();
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
    incomplete.hidden = true;
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
    isBehind = true;
    window.clearTimeout(timer);
    timer = window.setTimeout(ask, PATIENCE);
  }
  window.addEventListener("online", askSoon);

  async function ask() {
    window.clearTimeout(timer);
    const mine = ++asked;
    isBehind = true;
    preview.classList.add("is-waiting");
    try {
      const answer = await fetch(form.dataset.previewUrl, { method: "POST", body: new FormData(form), credentials: "same-origin" });
      if (mine !== asked) return;
      if (answer.ok && !answer.redirected) show(await answer.text());
      else say(preview.dataset.refused);
    } catch {
      if (mine === asked) say(preview.dataset.lost);
    }
    if (mine === asked) isBehind = false;
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

  // What is still to be filled in comes from the preview; without network, from what anybody can see.
  const isTyped = (control) => (/checkbox|radio/.test(control.type) ? control.checked : true) && control.value.trim();
  const FIELDS = "[data-stop]:not([name=dealer]), [data-count], [data-cards], [data-row] input[type=radio]";
  function missing() {
    const fields = [...form.querySelectorAll(FIELDS)];
    const row = rows.find((one) => !isFilled(one));
    if (row) return countOf(row);
    if (!fields.some(isTyped)) return fields[0];
    if (reason && !reason.value.trim()) return reason;
    const lacks = isBehind ? null : preview.querySelector("[data-lacks]");
    if (!lacks?.dataset.lacks) return lacks && (rows.length ? countOf(rows[0]) : fields[0]);
    // A seat that this page does not have yet: the server shows what has changed.
    const names = lacks.dataset.lacks.split(" ");
    return [...form.elements].find((control) => names.includes(control.name));
  }

  function lead(field) {
    for (let more = field.closest("details"); more; more = more.parentElement.closest("details")) more.open = true;
    const row = field.closest("[data-row]");
    if (row && field === countOf(row)) goTo(row);
    else field.focus();
  }

  async function saveWhenSeen() {
    await Promise.race([ask(), new Promise((resolve) => { window.setTimeout(resolve, LONGEST); })]);
    isSent();
    isSeen = true;
    form.requestSubmit(save);
    isSeen = false;
  }

  // A second press while the first is on its way sends nothing; the server would store it once anyway.
  form.addEventListener("submit", (event) => {
    if (isSending) {
      event.preventDefault();
      return;
    }
    const field = event.submitter === save && missing();
    const isWaiting = event.submitter === save && isBehind && !isSeen && navigator.onLine;
    if (field) {
      event.preventDefault();
      incomplete.hidden = false;
      lead(field);
      return;
    }
    isSending = true;
    save.setAttribute("aria-busy", "true");
    if (isWaiting) {
      event.preventDefault();
      saveWhenSeen();
    }
  });
  const isSent = () => {
    isSending = false;
    save.removeAttribute("aria-busy");
  };
  window.addEventListener("pageshow", isSent);
  form.addEventListener("saved", isSent);

  const waiting = document.querySelector("[data-focus]");
  const isWrong = ".is-wrong :is([data-count], [aria-invalid=true], [data-stop]), [aria-invalid=true]";
  if (waiting) {
    const field = form.querySelector(isWrong);
    if (field) lead(field);
    else waiting.focus();
  } else if (rows.length) {
    goTo(rows.find((row) => countOf(row).value) || rows[0]);
  }
  if (rows.some(isFilled) || form.matches("[data-filled]")) ask();
})();
