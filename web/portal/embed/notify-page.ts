/** Tells the page around the frame that the portal is open, or that it needs a new token. Contains no data of the affiliate. */
export function notifyPage(origin: string, state: 'open' | 'ended'): void {
  window.parent.postMessage({ type: 'tributary.embed', state }, origin);
}
