import type { Config } from '../../../config.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';

/** What the address of an affiliate's link depends on. */
export type Link = { referralCode: string; vanitySlug: string | null; programSlug: string; isBareSlug: boolean };

/**
 * The address to share: the vanity slug if there is one, else the referral code. A slug whose bare address belongs to
 * another program needs the program in the path.
 */
export function buildLinkUrl(config: Config, { referralCode, vanitySlug, programSlug, isBareSlug }: Link): string {
  const base = `${getPublicUrl(config)}/r`;
  if (vanitySlug === null) return `${base}/${referralCode}`;
  return isBareSlug ? `${base}/${vanitySlug}` : `${base}/${programSlug}/${vanitySlug}`;
}
