/* Light, dark or as the device says: remembered on this device, set before anything is drawn.
   Also the projector view: larger type and nothing beside the board. Without this file the device's scheme holds. */
(() => {
  "use strict";
  const root = document.documentElement;
  const choices = ["auto", "light", "dark"];
  const words = { auto: "as the device says", light: "light", dark: "dark" };
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
  /* Paper is light: a dark choice would print pale text on it. */
  addEventListener("beforeprint", () => show("light"));
  addEventListener("afterprint", () => show(choice));

  document.addEventListener("DOMContentLoaded", () => {
    const tools = document.querySelector("[data-tools]");
    if (tools) tools.hidden = false;
    const button = document.querySelector("[data-theme-button]");
    const label = () => {
      button.setAttribute("aria-label", `Colours: ${words[choice]}`);
      button.querySelector("[data-theme-word]").textContent = choice[0].toUpperCase() + choice.slice(1);
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
    const view = document.querySelector("[data-view-button]");
    if (!view) return;
    view.addEventListener("click", () => {
      const isOn = root.dataset.view !== "projector";
      if (isOn) root.dataset.view = "projector";
      else delete root.dataset.view;
      view.setAttribute("aria-pressed", String(isOn));
    });
  });
})();
