/* Passkeys: asks the device to make one, or to sign with one, and sends what it answers as an ordinary form.
   `webauthnJSON` is allauth's file, which turns JSON into what browsers take, and back. */
(() => {
  "use strict";
  const can = Boolean(window.PublicKeyCredential && window.webauthnJSON);
  const given = (form) => JSON.parse(form.querySelector("#passkey-data").textContent);

  const made = (form) => {
    const options = given(form).creation_options;
    const alone = form.elements.passwordless.checked;
    Object.assign(options.publicKey.authenticatorSelection, {
      residentKey: alone ? "required" : "discouraged",
      requireResidentKey: alone,
      userVerification: alone ? "required" : "preferred",
    });
    return window.webauthnJSON.create(options);
  };
  const asked = async (form) => {
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.status);
    return (await answer.json()).request_options;
  };
  const signed = async (form) =>
    window.webauthnJSON.get(form.dataset.passkey === "ask" ? await asked(form) : given(form).request_options);

  for (const note of document.querySelectorAll("[data-no-passkeys]")) note.hidden = can;
  for (const form of document.querySelectorAll("[data-passkey]")) {
    form.hidden = !can;
    const said = form.querySelector('.wrong[role="alert"][hidden]');
    form.querySelector('button[type="button"]').addEventListener("click", async () => {
      said.hidden = true;
      try {
        const credential = await (form.dataset.passkey === "make" ? made(form) : signed(form));
        form.elements.credential.value = JSON.stringify(credential);
        form.submit();
      } catch {
        /* Cancelled, or no passkey of this site on the device. */
        said.hidden = false;
      }
    });
  }
})();
