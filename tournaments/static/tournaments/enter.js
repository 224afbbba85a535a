/* The work that a browser does so that a person's entry is not taken for a machine's: it looks for a number whose
   SHA-256, together with the form's own word, begins with so many zero bits. A third of a second on a phone.

   crypto.subtle is missing on a club's own network, which has no HTTPS. Without this file the form is sent without the
   work, and the desk confirms it. */
(() => {
  "use strict";
  const form = document.querySelector("[data-work]");
  if (!form) return;
  const AT_ONCE = 4096;
  const shift = 32 - Number(form.dataset.bits);

  // The first 32 bits of the fractional parts of the cube and square roots of the first primes.
  const rounds = [];
  const start = [];
  for (let number = 2; rounds.length < 64; number += 1) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) isPrime = false;
    if (!isPrime) continue;
    if (start.length < 8) start.push((Math.sqrt(number) * 4294967296) | 0);
    rounds.push((Math.cbrt(number) * 4294967296) | 0);
  }
  const words = new Int32Array(64);
  const rotated = (value, by) => (value >>> by) | (value << (32 - by));

  // The first word of the SHA-256 of an ASCII text of at most 55 letters: one block.
  function firstWord(text) {
    words.fill(0, 0, 16);
    for (let at = 0; at < text.length; at += 1) words[at >> 2] |= text.charCodeAt(at) << (24 - 8 * (at & 3));
    words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
    words[15] = 8 * text.length;
    for (let at = 16; at < 64; at += 1) {
      const early = words[at - 15];
      const late = words[at - 2];
      const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16] + first + words[at - 7] + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = start;
    for (let at = 0; at < 64; at += 1) {
      const first = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const one = (h + first + ((e & f) ^ (~e & g)) + rounds[at] + words[at]) | 0;
      const second = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const two = (second + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    return (a + start[0]) >>> 0;
  }

  let number = 0;
  let isAwaited = false;
  function work() {
    for (const end = number + AT_ONCE; number < end; number += 1) {
      if (firstWord(`${form.dataset.work}:${number}`) >>> shift === 0) {
        form.elements.work.value = String(number);
        if (isAwaited) form.requestSubmit();
        return;
      }
    }
    window.setTimeout(work, 0);
  }

  form.addEventListener("submit", (event) => {
    if (form.elements.work.value) return;
    event.preventDefault();
    isAwaited = true;
    form.querySelector("[data-working]").hidden = false;
  });
  form.elements.work.value = "";
  work();
})();
