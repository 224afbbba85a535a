/* The first page of a site: takes the code out of the address bar into its field, and guesses the time zone.

   What stands behind # is sent to nobody. Without this file the code is typed and the zone is chosen. */
(() => {
  "use strict";
  const form = document.querySelector("[data-setup]");
  if (!form) return;
  const { code, timezone } = form.elements;
  const printed = decodeURIComponent(window.location.hash.slice(1));
  if (printed) {
    window.history.replaceState(null, "", window.location.pathname);
    code.value = printed;
  }
  // Browsers still call the zone of India by the city's former name.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone.replace("Asia/Calcutta", "Asia/Kolkata");
  if (!timezone.value && [...timezone.options].some((option) => option.value === zone)) timezone.value = zone;
})();
