/* For other people's pages: gives each frame with one of our boards the height of what is in it, and no border.
   Without this file the frame keeps the height that its lines give it, and scrolls. */
(() => {
  "use strict";
  const MOST = 20000;
  const frames = () => document.querySelectorAll("iframe[data-rummy-board]");
  addEventListener("message", (event) => {
    const height = event.data?.rummyBoardHeight;
    if (!Number.isInteger(height) || height < 1 || height > MOST) return;
    for (const frame of frames()) {
      if (event.source !== frame.contentWindow || event.origin !== new URL(frame.src).origin) continue;
      frame.style.height = `${height}px`;
      frame.style.border = "0";
    }
  });
  /* A board that was there before us has said its height to nobody: it is asked again. The question is no secret, and
     a frame that is still empty would complain of any other address. */
  for (const frame of frames()) frame.contentWindow?.postMessage({ rummyBoardAsks: true }, "*");
})();
