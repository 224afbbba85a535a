/* A part that is rarely wanted brings its script when it is opened; an address with a word behind # opens it. */
(() => {
  "use strict";
  for (const part of document.querySelectorAll("details[data-module]")) {
    part.hidden = false;
    part.addEventListener("toggle", () => import(part.dataset.module), { once: true });
    if (location.hash.startsWith(part.dataset.opens)) part.open = true;
  }
})();
