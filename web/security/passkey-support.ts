// Whether the browser lets this page use passkeys. The service knows its own address only: a proxy may forward requests under
// another one.

/** Browsers allow passkeys on pages with HTTPS or at `localhost`, and never under an IP address. */
export function allowsPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress;
}
