/* The cards of a seat on the scorer's page: judged while they are typed or tapped.

   No rule stands here: what a group is, what a hand counts and what could be better is asked of the server. Keys are
   card_picker.js. Without this file the same is said with the next Check. */
(() => {
  "use strict";
  const form = document.querySelector("[data-scorer]");
  const panels = [...(form?.querySelectorAll("[data-hand]") ?? [])];
  if (!panels.length) return;
  const PATIENCE = 250;
  const asking = new Map();

  const fieldsOf = (panel) => [...panel.querySelectorAll("[data-cards]")];
  const hasCards = (panel) => fieldsOf(panel).some((field) => field.value.trim());
  const rowOf = (panel) => panel.closest("[data-row]");
  const howOf = (panel) => [...(rowOf(panel)?.querySelectorAll("input[type=radio]") ?? [])];
  const turned = form.querySelector("[data-turned]");

  /* All that the judgement hangs on. */
  const state = (panel) => JSON.stringify([
    turned?.value,
    howOf(panel).find((radio) => radio.checked)?.value,
    rowOf(panel)?.querySelector("[data-count]").value,
    ...fieldsOf(panel).map((field) => field.value),
  ]);
  const judged = new Map(panels.map((panel) => [panel, state(panel)]));

  function look() {
    for (const panel of panels) {
      if (!panel.open || judged.get(panel) === state(panel)) continue;
      judged.set(panel, state(panel));
      window.clearTimeout(asking.get(panel));
      asking.set(panel, window.setTimeout(() => ask(panel), PATIENCE));
    }
  }

  async function ask(panel) {
    const wanted = judged.get(panel);
    const body = new FormData(form);
    body.append("seat", panel.dataset.hand);
    try {
      const answer = await fetch(form.dataset.hands, { method: "POST", body, credentials: "same-origin" });
      if (judged.get(panel) !== wanted) return;
      if (answer.ok && !answer.redirected) show(panel, await answer.text());
      else say(panel, form.dataset.refused);
    } catch {
      if (judged.get(panel) === wanted) say(panel, form.dataset.lost);
    }
  }

  function show(panel, html) {
    for (const part of [...new DOMParser().parseFromString(html, "text/html").body.children]) {
      document.getElementById(part.id)?.replaceWith(part);
    }
    for (const field of fieldsOf(panel)) {
      if (panel.querySelector(`#note-${field.id}.note-bad`)) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    ready(panel);
  }

  function say(panel, text) {
    for (const line of panel.querySelectorAll(".hand-title, [data-now]")) line.textContent = text;
  }

  function ready(panel) {
    for (const button of panel.querySelectorAll("[data-use]")) button.hidden = false;
    const ruling = panel.querySelector(".hand-ruling");
    panel.querySelector("[data-held-shown]").textContent = hasCards(panel) ? ruling.dataset.held : "";
    const now = panel.querySelector("[data-now]");
    now.textContent = ruling.querySelector(".hand-title").textContent;
    now.hidden = false;
  }

  /* The better arrangement, put into the fields for all to see. */
  function use(panel, typed) {
    const [groups, loose] = typed.slice(typed.indexOf(":") + 1).split("/");
    const laid = groups ? groups.split("|") : [];
    const fields = fieldsOf(panel);
    const left = fields.pop();
    fields.forEach((field, index) => put(field, laid[index] ?? ""));
    put(left, loose);
    fields[0].focus();
  }

  function put(field, text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const panel of panels) {
    panel.addEventListener("input", (event) => {
      if (!event.target.matches("[data-cards]") || !hasCards(panel)) return;
      const hows = howOf(panel);
      const counted = hows.find((radio) => radio.dataset.takes === "counted");
      if (counted && !hows.some((radio) => radio.checked)) counted.checked = true;
    });
    panel.addEventListener("click", (event) => {
      const button = event.target.closest("[data-use]");
      if (button) use(panel, button.dataset.use);
    });
    /* Letters are cards here, not keys of the row. */
    panel.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopPropagation();
      if (event.key === "Escape") {
        panel.open = false;
        panel.querySelector("summary").focus();
      } else if (event.key === "Enter" && event.target.matches("[data-cards]")) {
        event.preventDefault();
        const fields = fieldsOf(panel);
        (fields[fields.indexOf(event.target) + 1] ?? panel.querySelector("[data-use]:not([hidden])") ?? fields[0]).focus();
      }
    });
    panel.addEventListener("toggle", () => {
      look();
      if (panel.open && !hasCards(panel) && matchMedia("(hover: hover)").matches) fieldsOf(panel)[0].focus();
    });
    ready(panel);
  }
  for (const kind of ["input", "change", "keyup", "click"]) form.addEventListener(kind, look);
})();
