/* In the frame: says how high the board is, to whoever holds the frame, whenever that changes. A height is no secret. */
(() => {
  "use strict";
  if (parent === window) return;
  const tell = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ rummyBoardHeight: height }, "*");
  };
  new ResizeObserver(tell).observe(document.body);
  addEventListener("message", (event) => {
    if (event.source === parent && event.data?.rummyBoardAsks === true) tell();
  });
})();
