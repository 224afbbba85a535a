/* Counts a round's time down between two looks at the server. The server's time is the truth: the page carries it, and
   only the difference to this device's clock is kept. Without this file the page says when time is up, and refreshes. */
(() => {
  "use strict";
  let ahead = 0;
  // The round clocks that were seen to run, by the second in which they end: each is over once.
  const running = new Set();

  /* How far the server's clock is ahead of this device's, from the part that was drawn last. A page may have waited long
     for its scripts: what counts is when it came, so many milliseconds ago. */
  const compare = (ago) => {
    const source = document.querySelector("[data-server-now]");
    if (source) ahead = Number(source.dataset.serverNow) - (Date.now() - ago);
  };
  const sinceItCame = () => {
    const came = performance.getEntriesByType("navigation")[0]?.responseStart;
    return came ? performance.now() - came : 0;
  };

  const said = (seconds) => {
    const whole = Math.abs(seconds);
    return `${seconds < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };

  const ring = (ends, left) => {
    if (ends && left > 0) running.add(ends);
    else if (running.delete(ends)) document.dispatchEvent(new Event("clock:over"));
  };

  const tick = () => {
    const now = Math.floor((Date.now() + ahead) / 1000);
    for (const face of document.querySelectorAll("[data-clock]")) {
      const left = face.dataset.ends ? Number(face.dataset.ends) - now : Number(face.dataset.left);
      const text = said(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("is-over", left <= 0);
      if ("rings" in face.dataset) ring(face.dataset.ends, left);
    }
    for (const wait of document.querySelectorAll("[data-since]")) {
      const minutes = String(Math.max(0, Math.floor((now - Number(wait.dataset.since)) / 60)));
      if (wait.textContent !== minutes) wait.textContent = minutes;
    }
  };

  compare(sinceItCame());
  tick();
  setInterval(tick, 250);
  for (const drawn of ["htmx:afterSettle", "screen:drawn"]) {
    document.addEventListener(drawn, () => {
      compare(0);
      tick();
    });
  }
})();
