/* A button that prints the page, also in a part that was drawn anew. Without this file the browser's own menu does. */
(() => {
  "use strict";
  const offer = () => {
    for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) window.print();
  });
  document.addEventListener("live:after", offer);
  offer();
})();
