/* The check-in desk: letters find players in the list that is there, Enter ticks the only one left. A long list is in
   pages, and the server finds them. Without this file the search is always the server's, and every tick loads the
   page. */
(() => {
  "use strict";
  const find = document.querySelector("[data-desk-find]");
  const said = document.querySelector("[data-desk-said]");
  if (!find) return;
  document.querySelector("[data-desk-submit]").hidden = true;
  let isPressing = false;

  const words = (key, parts) => said.dataset[key].replace(/\{(\w+)\}/g, (_, part) => parts[part]);
  /* A row has the search key of its name, in which letters without a sign are found (lukasz); with the sign they are in
     the name (Łukasz). */
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const wordsOf = (text) => plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const rows = () => Array.from(document.querySelectorAll("[data-desk-row]"));
  const nameIn = (row) => row.querySelector("[data-desk-name]").textContent;
  const isNamed = (row, sought) => {
    const { deskKey } = row.querySelector("[data-desk-name]").dataset;
    const key = `${plain(deskKey)}\t${plain(nameIn(row))}`;
    return sought.every((word) => key.includes(word));
  };

  /* What the page of a long list was found by; undefined where all rows are here. */
  const list = () => document.getElementById("desk-list");
  const foundBy = () => list().dataset.deskWanted;
  let asking = 0;
  let asked = foundBy();
  const ask = () => {
    clearTimeout(asking);
    asking = setTimeout(() => {
      const part = list();
      const wanted = find.value.trim();
      if (asked === wanted) return;
      asked = wanted;
      const address = `${part.dataset.deskAsks}?${new URLSearchParams({ q: wanted })}`;
      window.htmx.ajax("GET", address, { source: part, target: part, swap: "outerHTML" });
    }, 150);
  };

  const filter = () => {
    const wanted = find.value.trim();
    const all = rows();
    if (foundBy() !== undefined) {
      const { deskFound, deskOf } = list().dataset;
      for (const row of all) row.classList.toggle("is-only", wanted !== "" && all.length === 1);
      for (const kept of document.querySelectorAll('input[type="hidden"][name="q"]')) kept.value = find.value;
      said.textContent = wanted === "" ? "" : words("found", { found: deskFound, rows: deskOf });
      ask();
      return wanted === "" ? [] : all;
    }
    const sought = wordsOf(wanted);
    for (const row of all) row.hidden = !isNamed(row, sought);
    const left = all.filter((row) => !row.hidden);
    for (const row of all) row.classList.toggle("is-only", wanted !== "" && left.length === 1 && row === left[0]);
    for (const kept of document.querySelectorAll('input[type="hidden"][name="q"]')) kept.value = find.value;
    said.textContent = wanted === "" ? "" : words("found", { found: left.length, rows: all.length });
    return wanted === "" ? [] : left;
  };

  find.addEventListener("input", filter);
  find.form.addEventListener("submit", (event) => {
    if (foundBy() !== undefined && foundBy() !== find.value.trim()) return;
    event.preventDefault();
    const left = filter();
    if (left.length !== 1) {
      said.textContent = left.length ? words("many", { found: left.length }) : words("nobody", {});
      return;
    }
    const button = left[0].querySelector("[data-desk-main]");
    if (button) button.click();
    else said.textContent = words("done", { name: nameIn(left[0]) });
    find.select();
  });

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, textarea, select");
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      find.focus();
      find.select();
    }
    if (event.key === "Escape" && event.target === find) {
      find.value = "";
      filter();
    }
  });

  /* A list that is swapped under a finger would lose the tap. */
  document.addEventListener("pointerdown", () => { isPressing = true; });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { isPressing = false; });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (isPressing && event.detail.elt.matches("[data-live]")) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSettle", filter);
  filter();
})();
