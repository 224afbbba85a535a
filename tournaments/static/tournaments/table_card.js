/* Takes the secret of a scanned card, or of an invitation, out of the address bar and hands it over by POST.

   What stands behind # is sent to nobody; after this line it does not stand in the address bar either. Without this
   file the code is typed. */
(() => {
  "use strict";
  const form = document.querySelector("[data-card-form]");
  const waiting = document.querySelector("[data-waiting]");
  if (!form) return;

  function handOver() {
    const code = decodeURIComponent(window.location.hash.slice(1));
    if (!code) return;
    window.history.replaceState(null, "", window.location.pathname);
    form.elements.code.value = code;
    waiting.hidden = false;
    document.querySelector("[data-by-hand]").hidden = true;
    form.submit();
  }

  // A second scan in the same tab changes what stands behind # and loads nothing.
  window.addEventListener("hashchange", handOver);
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    form.reset();
    waiting.hidden = true;
    document.querySelector("[data-by-hand]").hidden = false;
  });
  handOver();
})();
