/* Players that one follows: a list on this device, told to nobody. On a leaderboard their rows stand above it, as they
   stand in it; on a player's page a press begins or ends it. Without this file a link to the leaderboard names one. */
(() => {
  "use strict";
  const KEPT = "followed-players";
  const MOST = 12;
  const panel = document.querySelector("[data-followed]");
  const named = panel ? panel.dataset.followed.split(",").filter(Boolean) : [];

  // A browser may refuse to keep anything, or keep what somebody else wrote.
  const followed = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT));
      return Array.isArray(kept) ? kept.filter((one) => typeof one === "string").slice(-MOST) : [];
    } catch {
      return [];
    }
  };
  const keep = (keys) => {
    try {
      localStorage.setItem(KEPT, JSON.stringify(keys.slice(-MOST)));
      return true;
    } catch {
      return false;
    }
  };

  const draw = () => {
    const boards = document.querySelectorAll("#board .standings");
    if (!panel || boards.length === 0) return;
    const wanted = new Set([...named, ...followed()]);
    // One table for each stage, as on the leaderboard.
    const copies = [...boards].map((board) => board.cloneNode(true));
    for (const copy of copies) {
      copy.caption.textContent = panel.dataset.caption;
      for (const row of [...copy.tBodies[0].rows]) {
        if (!wanted.has(row.dataset.key)) row.remove();
        row.hidden = false;
      }
    }
    const filled = copies.filter((copy) => copy.tBodies[0].rows.length > 0);
    panel.hidden = filled.length === 0;
    panel.replaceChildren(...filled);
  };

  for (const link of document.querySelectorAll("[data-follow]")) {
    const key = link.dataset.follow;
    const tell = () => {
      const isOn = followed().includes(key);
      link.textContent = isOn ? link.dataset.unfollow : link.dataset.start;
      link.hidden = false;
    };
    link.addEventListener("click", (event) => {
      const others = followed().filter((one) => one !== key);
      if (!keep(followed().includes(key) ? others : [...others, key])) return;
      event.preventDefault();
      tell();
    });
    tell();
  }
  document.addEventListener("live:after", draw);
  draw();
})();
