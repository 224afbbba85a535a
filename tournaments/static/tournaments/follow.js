/* Players that one follows: a list on this device, told to nobody. Above a leaderboard, a seating, a season or a club's
   tournaments stand their rows, as they stand in it; on a player's page a press begins or ends it. Without this file a
   link to the leaderboard names one. */
(() => {
  "use strict";
  const KEPT = "followed-players";
  const MOST = 12;
  // What a player's id begins with is enough to find the row.
  const KEY = 8;
  const LISTS = "#board .standings, #seating .a-to-z-list, .panel:not(.followed) > .season-scroll, .card .front";
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

  // A list of a card says which tournament or season its places are of.
  const titleOf = (list) => {
    if (!list.dataset.name) return [];
    const title = document.createElement("p");
    title.className = "quiet";
    title.dir = "auto";
    title.textContent = list.dataset.name;
    return [title];
  };

  const draw = () => {
    const lists = document.querySelectorAll(LISTS);
    if (!panel || lists.length === 0) return;
    const wanted = new Set([...named, ...followed()]);
    // One table for each stage, as on the leaderboard.
    const copies = [...lists].map((list) => list.cloneNode(true));
    const filled = copies.filter((copy) => {
      const caption = copy.querySelector("caption");
      if (caption) caption.textContent = panel.dataset.caption;
      const rows = copy.querySelector("tbody") ?? copy;
      for (const row of [...rows.children]) {
        if (!wanted.has(row.dataset.key.slice(0, KEY))) row.remove();
        row.hidden = false;
      }
      return rows.children.length > 0;
    });
    panel.hidden = filled.length === 0;
    panel.replaceChildren(...filled.flatMap((copy) => [...titleOf(copy), copy]));
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
