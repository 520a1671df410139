/** The nonce of styles that the component library inserts, as the server wrote it into the page. */
export function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.nonce ?? '';
}
