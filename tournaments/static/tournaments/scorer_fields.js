/* Keys for a deal whose fields are generated: digits pick a player, letters a choice, Enter goes on.

   Which button has which key stands on the page; no rule of any game stands here. Without this file the page works
   by its buttons. */
(() => {
  "use strict";
  const form = document.querySelector("[data-scorer]");
  if (!form) return;
  const save = form.querySelector("[data-save]");
  const choiceOf = (node) => node.closest("[data-choice]");
  const buttons = (choice) => [...choice.querySelectorAll("input")];
  const isShown = (node) => !node.closest("details:not([open])");

  // One stop for each field: within a choice the button that is on, or else the first.
  function stops() {
    const seen = new Set();
    return [...form.querySelectorAll("[data-stop]")].filter((node) => {
      const choice = choiceOf(node);
      if (!isShown(node) || (choice && seen.has(choice))) return false;
      if (choice) seen.add(choice);
      return true;
    }).map((node) => {
      const choice = choiceOf(node);
      return (choice && buttons(choice).find((one) => one.checked)) || node;
    });
  }

  function move(from) {
    const all = stops();
    const here = all.findIndex((node) => node === from || (choiceOf(node) && choiceOf(node) === choiceOf(from)));
    const next = all[here + 1] || save;
    next.focus();
  }

  function pick(button) {
    button.checked = button.type === "radio" || !button.checked;
    button.focus();
    button.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function takeBack(choice) {
    buttons(choice).forEach((one) => { one.checked = one.value === ""; });
    choice.dispatchEvent(new Event("input", { bubbles: true }));
  }

  form.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("[data-stop]")) return;
    const choice = choiceOf(event.target);
    const letter = event.key.toLowerCase();
    const button = choice && buttons(choice).find((one) => one.dataset.letter === letter);
    if (button) {
      event.preventDefault();
      pick(button);
    } else if (event.key === "Enter") {
      event.preventDefault();
      move(event.target);
    } else if (choice && (event.key === "Backspace" || event.key === "Delete")) {
      event.preventDefault();
      takeBack(choice);
    }
  });

  // Who went out is marked in that seat's own row, as on paper.
  function mark() {
    const choice = form.querySelector("[data-mark]");
    const on = choice && buttons(choice).find((one) => one.checked);
    for (const row of form.querySelectorAll("[data-seat]")) {
      const chip = row.querySelector("[data-won]");
      if (!chip) continue;
      const isWinner = Boolean(on) && on.value === row.dataset.seat;
      chip.hidden = !isWinner;
      chip.textContent = isWinner ? choice.dataset.mark : "";
      row.classList.toggle("is-winner", isWinner);
    }
  }

  form.addEventListener("input", mark);
  mark();
  const isOpen = (node) => (choiceOf(node) ? !node.checked : node.type === "text" && !node.value);
  const isCount = (node) => node.matches("[data-count]") && node.value;
  const isCorrection = form.querySelector("#reason");
  const first = document.querySelector("[data-focus]") ? null : stops().find(isCorrection ? isCount : isOpen);
  if (first) first.focus({ preventScroll: true });
})();
