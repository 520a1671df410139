import { contentSecurityPolicy } from './assets.ts';

/**
 * The headers of these pages. With `no-referrer`, browsers would send `Origin: null` with the forms; other sites get no
 * address either way.
 */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'accept-language',
};
