// The screens that open in the frame of an embedded portal.
import { screens } from '../screens.ts';

/** They only read: `scope: 'embed'` of their operations. */
const ids = ['home', 'earnings', 'rates', 'payouts'];
export const embeddedScreens = screens.filter(({ id }) => ids.includes(id));

/** Whether an address of the portal, `/portal/PROGRAM-ID/…`, is one of these screens. */
export function opensInFrame(href: string): boolean {
  const [address, path = '/'] = /^\/portal\/[^/?]+(\/[^?]*)?(?=\?|$)/.exec(href) ?? [];
  return address !== undefined && embeddedScreens.some((screen) => screen.path === path);
}
