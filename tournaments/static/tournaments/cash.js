/* A till's count adds itself up while it is typed. Without this file the button "Add up" does. */
(() => {
  "use strict";
  const form = document.querySelector("[data-count]");
  if (!form) return;
  const places = Number(form.dataset.decimals);
  const money = new Intl.NumberFormat(form.dataset.locale, {
    style: "currency", currency: form.dataset.currency, minimumFractionDigits: places, maximumFractionDigits: places,
  });
  const said = (minor) => money.format(minor / 10 ** places);
  const fields = Array.from(form.querySelectorAll("[data-worth]"));
  const total = form.querySelector("[data-total]");
  form.querySelector("[data-without-script]").hidden = true;

  const sum = () => {
    let all = 0;
    for (const field of fields) {
      const text = field.value.trim();
      const isRead = /^\d*$/.test(text);
      const minor = isRead ? Number(text) * Number(field.dataset.worth) : 0;
      field.setAttribute("aria-invalid", String(!isRead));
      field.parentElement.querySelector("[data-sum]").textContent = minor ? said(minor) : "";
      all += minor;
    }
    const other = form.elements.other.value.trim();
    total.textContent = other ? form.dataset.andOthers.replace("{total}", () => said(all)) : said(all);
  };

  /* Enter goes on to the next piece; on the last one it stores, as a form does. */
  form.addEventListener("keydown", (event) => {
    const at = fields.indexOf(event.target);
    if (event.key !== "Enter" || at < 0 || at === fields.length - 1) return;
    event.preventDefault();
    fields[at + 1].focus();
  });
  form.addEventListener("input", sum);
  sum();
})();
