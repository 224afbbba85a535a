/* On every page of the back office: a number is typed over, what was said of one action goes with the next, and what
   was worked out before something was typed says so. Without this file a number is cleared by hand, and every action
   loads a page, which says its own. */
(() => {
  "use strict";
  const NUMBER = "input:is([inputmode=numeric], [inputmode=decimal], [type=number]):not([readonly])";
  // The field that a press has just reached: the press ends with a caret in it.
  let reached = null;

  const select = (field) => {
    if (field?.matches(NUMBER) && field.value) field.select();
  };
  document.addEventListener("focusin", (event) => {
    reached = event.target;
    select(reached);
  });
  document.addEventListener("keydown", (event) => {
    reached = null;
    /* Enter presses the first button of a form; a field beside a button of its own names that one. */
    const own = event.key === "Enter" && !event.isComposing && event.target.dataset?.enter;
    if (!own) return;
    event.preventDefault();
    event.target.form.requestSubmit(event.target.form.querySelector(`[name=do][value="${own}"]`));
  });
  document.addEventListener("click", (event) => {
    if (event.target === reached && reached.selectionStart === reached.selectionEnd) select(reached);
    if (event.target.matches("input")) reached = null;
  });
  select(document.activeElement);

  /* The page that answers a form begins at its answer, for the keys and for who listens. */
  const answer = document.querySelector(".messagelist:not([data-stays]), #content .errornote[role=alert]");
  /* A redirect carries on the place in the page before, which this page may not have. */
  const place = document.getElementById(location.hash.slice(1));
  const begin = place ?? answer;
  if (begin && !document.querySelector("[autofocus]") && document.activeElement === document.body) {
    if (begin.tabIndex < 0) begin.tabIndex = -1;
    begin.focus({ preventScroll: true });
  }

  /* While a file field is empty, the browser's words in it are hidden: its label is in the page's language. */
  const FILE = "input[type=file]";
  const mark = (field) => field.toggleAttribute("data-empty", !field.files.length);
  document.querySelectorAll(FILE).forEach(mark);
  document.addEventListener("change", (event) => {
    if (event.target.matches(FILE)) mark(event.target);
  });

  document.addEventListener("input", (event) => {
    event.target.form?.querySelectorAll("[data-older]").forEach((said) => { said.hidden = false; });
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (!["click", "submit"].includes(event.detail.requestConfig.triggeringEvent?.type)) return;
    document.querySelectorAll(".messagelist:not([data-stays])").forEach((list) => list.remove());
  });
})();
