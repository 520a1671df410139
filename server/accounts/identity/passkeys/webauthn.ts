/**
 * The WebAuthn library, loaded when the first passkey is used: it consists of 250 modules, which every start and every
 * command would otherwise wait for.
 */
export const loadWebAuthn = () => import('@simplewebauthn/server');
