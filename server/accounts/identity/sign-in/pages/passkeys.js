// Passkeys on the sign-in pages. The pages work without this script; it only shows and runs the passkey buttons.
(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
  const toText = (buffer) =>
    buffer === null || buffer === undefined
      ? undefined
      : btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replace(/\+/g, '-')
          .replace(/\//g, '_')
          .replace(/=+$/, '');
  const withBytes = (credentials) => (credentials ?? []).map((credential) => ({ ...credential, id: toBytes(credential.id) }));

  async function post(path, body) {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (answer.code === 'single_sign_on_required') location.assign('/sign-in/sso');
    if (!response.ok) throw new Error(path);
    return answer;
  }

  function describe(credential, response) {
    const { id, type, authenticatorAttachment } = credential;
    return { id, rawId: id, type, authenticatorAttachment, clientExtensionResults: credential.getClientExtensionResults(), response };
  }

  async function signIn({ dataset }) {
    const { options } = await post('/app/passkeys/sign-in-options', {});
    const publicKey = { ...options, challenge: toBytes(options.challenge), allowCredentials: withBytes(options.allowCredentials) };
    const credential = await navigator.credentials.get({ publicKey });
    const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
    const response = describe(credential, {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: toText(userHandle),
    });
    const { redirectPath } = await post('/app/passkeys/sign-in', { response, next: dataset.next || null });
    location.assign(redirectPath);
  }

  async function register(section) {
    const { options } = await post('/app/passkeys/register-options', {});
    const publicKey = {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    };
    const credential = await navigator.credentials.create({ publicKey });
    const { clientDataJSON, attestationObject } = credential.response;
    const response = describe(credential, {
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
      transports: credential.response.getTransports?.() ?? [],
    });
    await post('/app/passkeys', { response });
    section.querySelector('button').hidden = true;
    section.querySelector('[role=status]').hidden = false;
  }

  function activate(id, action) {
    const section = document.getElementById(id);
    if (!section) return;
    const button = section.querySelector('button');
    const error = section.querySelector('[role=alert]');
    section.hidden = false;
    button.addEventListener('click', async () => {
      button.disabled = true;
      error.hidden = true;
      try {
        await action(section);
      } catch (problem) {
        // Closing the browser's dialog is a decision, not a failure.
        error.hidden = problem.name === 'NotAllowedError';
      }
      button.disabled = false;
    });
  }

  activate('passkey-sign-in', signIn);
  activate('passkey-offer', register);
})();
