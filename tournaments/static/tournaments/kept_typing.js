/* Another language loads the page anew: what was typed is put back where it stood, with what the page held then.
   Kept in this tab alone until it is put back. Never a password, never a file. Without this file the browser's way
   back still has it. */
(() => {
  "use strict";
  const place = `typing:${location.pathname}${location.search}`;
  const forms = () => [...document.querySelectorAll('form[method="post"]')].filter((form) => !form.closest("header"));
  const isKept = (control) =>
    control.name && control.name !== "csrfmiddlewaretoken" && !["password", "file", "submit", "button"].includes(control.type);
  const said = (control) => {
    if (control.type === "checkbox" || control.type === "radio") return control.checked;
    if (control.type === "select-multiple") return [...control.selectedOptions].map((option) => option.value);
    return control.value;
  };
  const key = (control) => JSON.stringify([control.name, ["checkbox", "radio"].includes(control.type) ? control.value : ""]);
  const isSecret = (form) => [...form.elements].some((control) => control.type === "password");
  const texts = (form) => Object.fromEntries([...form.elements].filter(isKept).map((control) => [key(control), said(control)]));

  const put = (control, value) => {
    if (typeof value === "boolean") control.checked = value;
    else if (Array.isArray(value)) for (const option of control.options) option.selected = value.includes(option.value);
    else control.value = value;
    if (control.type !== "hidden") control.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const putBack = () => {
    const kept = sessionStorage.getItem(place);
    if (kept === null) return;
    sessionStorage.removeItem(place);
    const pages = JSON.parse(kept);
    forms().forEach((form, at) => {
      for (const control of form.elements) {
        if (isKept(control) && key(control) in (pages[at] || {})) put(control, pages[at][key(control)]);
      }
    });
  };
  document.addEventListener("DOMContentLoaded", () => {
    try {
      putBack();
    } catch {
      /* A browser that keeps nothing has nothing to put back. */
    }
    document.querySelector("[data-languages]")?.addEventListener("submit", () => {
      try {
        sessionStorage.setItem(place, JSON.stringify(forms().map((form) => (isSecret(form) ? {} : texts(form)))));
      } catch {
        /* See above. */
      }
    });
  });
})();
