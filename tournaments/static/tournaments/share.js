/* A button that hands the address to the device's own sharing, or copies it. Without this file it is read or scanned. */
(() => {
  "use strict";
  const button = document.querySelector("[data-share]");
  if (!button || !(navigator.share || navigator.clipboard)) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const { share: url, title } = button.dataset;
    try {
      if (navigator.share) {
        await navigator.share({ title, url });
      } else {
        await navigator.clipboard.writeText(url);
        button.textContent = button.dataset.done;
      }
    } catch {
      // Who closes the list of the device has not chosen anything.
    }
  });
})();
