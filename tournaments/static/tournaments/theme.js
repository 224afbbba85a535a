/* Light, dark or as the device says: remembered on this device, set before anything is drawn.
   Without this file the device's scheme holds. */
(() => {
  "use strict";
  const root = document.documentElement;
  const choices = ["auto", "light", "dark"];
  const kept = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const keep = (choice) => {
    try {
      localStorage.setItem("theme", choice);
    } catch {
      /* A browser that keeps nothing still shows the choice on this page. */
    }
  };
  const show = (choice) => {
    if (choice === "auto") delete root.dataset.theme;
    else root.dataset.theme = choice;
  };
  let choice = choices.includes(kept()) ? kept() : "auto";
  show(choice);

  document.addEventListener("DOMContentLoaded", () => {
    const tools = document.querySelector("[data-tools]");
    if (tools) tools.hidden = false;
    const button = document.querySelector("[data-theme-button]");
    const label = () => {
      const word = button.querySelector("[data-theme-word]");
      button.setAttribute("aria-label", button.dataset[choice]);
      word.textContent = word.dataset[choice];
    };
    if (button) {
      label();
      button.addEventListener("click", () => {
        choice = choices[(choices.indexOf(choice) + 1) % choices.length];
        keep(choice);
        show(choice);
        label();
      });
    }
    /* No page holds its own address. Browsers that keep it to themselves are helped here. */
    const languages = document.querySelector("[data-languages]");
    languages?.addEventListener("submit", () => {
      languages.elements.next.value = location.pathname + location.search;
    });
  });
})();
