/* Three tones when a round's time is up, as clock.js tells it; a button switches them off, and this browser remembers
   that. Browsers play nothing before somebody has touched the page: until then the button asks for it. */
(() => {
  "use strict";
  const button = document.querySelector("[data-sound]");
  if (!button || !window.AudioContext) return;
  const TONES = [0, 0.4, 0.8];
  const player = new AudioContext();
  const isOff = () => localStorage.sound === "off";
  const isBlocked = () => !isOff() && player.state !== "running";

  const tell = () => {
    button.setAttribute("aria-pressed", String(!isOff() && !isBlocked()));
    button.querySelector("[data-sound-word]").textContent = button.dataset[isOff() ? "off" : isBlocked() ? "blocked" : "on"];
  };
  const allow = () => player.resume().then(tell, () => {});

  const play = () => {
    for (const after of TONES) {
      const tone = player.createOscillator();
      const loudness = player.createGain();
      const start = player.currentTime + after;
      tone.frequency.value = 880;
      loudness.gain.setValueAtTime(0.5, start);
      loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
      tone.connect(loudness).connect(player.destination);
      tone.start(start);
      tone.stop(start + 0.35);
    }
  };

  document.addEventListener("clock:over", () => {
    if (!isOff()) play();
  });
  button.addEventListener("click", () => {
    if (!isBlocked()) localStorage.sound = isOff() ? "on" : "off";
    allow();
    tell();
  });
  for (const touch of ["pointerup", "keydown"]) {
    document.addEventListener(touch, (event) => event.target.closest("[data-sound]") || allow(), { once: true });
  }
  player.addEventListener("statechange", tell);
  button.hidden = false;
  tell();
})();
