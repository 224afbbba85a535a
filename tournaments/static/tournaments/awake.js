/* Keeps the screen on while the page is seen, where the browser can: over HTTPS. It ends when another page is in front. */
(() => {
  "use strict";
  const stayAwake = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
  };
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
})();
