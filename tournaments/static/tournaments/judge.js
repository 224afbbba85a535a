/* The judge's page: an address that keeps up with the ruling, and the ruling said where it cannot be seen.

   No rule stands here: every ruling is asked of the server; the card keys are card_picker.js. Without this file the
   form is sent by its button. */
(() => {
  "use strict";
  const form = document.querySelector("[data-judge]");
  if (!form) return;
  const fields = [...form.querySelectorAll("[data-cards]")];
  const said = document.querySelector("[data-said]");
  const lost = form.querySelector("[data-lost]");

  const ruling = () => document.querySelector("#ruling");
  const peek = document.querySelector("[data-peek]");
  const watch = new IntersectionObserver((entries) => {
    const entry = entries.at(-1);
    const isEmpty = "empty" in entry.target.dataset;
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
      button.textContent = button.dataset.done;
    } catch {
      button.textContent = button.dataset.failed;
    }
  });

  refresh();
})();
