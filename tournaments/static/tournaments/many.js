/* One action for many: the sum of the entry fees or payouts follows the ticks, and the keys follow the list to where it opens.
   Without this file the sum is that of all listed, and the list is a page of its own. */
(() => {
  "use strict";
  const sum = () => {
    const total = document.querySelector("[data-many-total]");
    if (!total) return;
    const { currency, decimals, locale, manyTotal } = total.dataset;
    const places = Number(decimals);
    const money = new Intl.NumberFormat(locale, {
      style: "currency", currency, minimumFractionDigits: places, maximumFractionDigits: places,
    });
    const ticked = Array.from(total.closest("form").querySelectorAll("[data-amount]:checked"));
    /* A list that is too long for ticks is taken whole, and its sum stands. */
    if (!total.closest("form").querySelector("[type=checkbox]")) return;
    const minor = ticked.reduce((all, tick) => all + Number(tick.dataset.amount), 0);
    /* Where nothing is taken, nobody asks where it goes. */
    for (const answer of total.parentElement.querySelectorAll("[name=till]")) answer.required = minor > 0;
    total.textContent = manyTotal.replace("{total}", () => money.format(minor / 10 ** places));
  };
  document.addEventListener("change", sum);
  document.addEventListener("htmx:afterSettle", (event) => {
    sum();
    if (event.target.id === "many") document.getElementById("many-title").focus({ preventScroll: true });
  });
  sum();
})();
