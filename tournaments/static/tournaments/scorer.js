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
  const dialog = document.querySelector("[data-keys]");
  const PATIENCE = 180;
  let isSending = false;
  let timer = 0;
  let asked = 0;

  const countOf = (row) => row.querySelector("[data-count]");
  const radios = (row) => [...row.querySelectorAll("input[type=radio]")];

  function choose(row, radio) {
    radio.checked = true;
    const more = radio.closest("details");
    if (more) more.open = true;
    changed(row, radio);
  }

  function changed(row, radio) {
    const count = countOf(row);
    if (radio.dataset.takes !== "counted") count.value = "";
    else if (radio !== document.activeElement) count.focus();
    askSoon();
  }

  function clear(row) {
    radios(row).forEach((radio) => { radio.checked = false; });
    askSoon();
  }

  function move(row, step) {
    const next = rows[rows.indexOf(row) + step];
    if (next) {
      countOf(next).focus();
      countOf(next).select();
    } else if (step > 0) {
      save.focus();
    }
  }

  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(save);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target.closest("[data-row]");
    if (!row || event.target.matches("summary")) return;
    const letter = event.key.toLowerCase();
    const radio = radios(row).find((one) => one.dataset.letter === letter);
    if (radio) {
      event.preventDefault();
      choose(row, radio);
    } else if (event.key === "Enter") {
      event.preventDefault();
      move(row, 1);
    } else if (event.target.matches("[data-count]") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(row, event.key === "ArrowDown" ? 1 : -1);
    } else if (/^[0-9]$/.test(event.key) && event.target.matches("input[type=radio]")) {
      event.preventDefault();
      const count = countOf(row);
      count.value = event.key;
      count.focus();
      count.dispatchEvent(new Event("input", { bubbles: true }));
    } else if ((event.key === "Backspace" || event.key === "Delete") && !countOf(row).value) {
      clear(row);
    }
  });

  form.addEventListener("input", (event) => {
    const row = event.target.closest("[data-row]");
    if (row && event.target.matches("[data-count]")) {
      const picked = radios(row).find((one) => one.checked);
      const counted = radios(row).find((one) => one.dataset.takes === "counted");
      if (event.target.value && picked?.dataset.takes !== "counted") counted.checked = true;
      if (!event.target.value && picked === counted) counted.checked = false;
    } else if (row && event.target.matches("input[type=radio]")) {
      changed(row, event.target);
      return;
    }
    askSoon();
  });

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
  window.addEventListener("pageshow", () => {
    isSending = false;
    save.removeAttribute("aria-busy");
  });

  const waiting = document.querySelector("[data-focus]");
  if (waiting) waiting.focus();
  const isFilled = rows.some((row) => countOf(row).value || radios(row).some((radio) => radio.checked));
  if (isFilled || form.matches("[data-filled]")) ask();
})();
