import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';

/** What the address of an affiliate's link depends on. `linkHost`: the program's custom domain for links. */
export type Link = { referralCode: string; vanitySlug: string | null; programSlug: string; isBareSlug: boolean; linkHost: string | null };

/** The program's custom domain for links, as `link_host.host` of a query. */
export const joinLinkHost = (programId: string) => sql`left join program_hosts as link_host
  on link_host.program_id = ${programId} and link_host.purpose = 'links' and link_host.is_default`;

/**
 * The address to share: the vanity slug if there is one, else the referral code. A slug whose bare address belongs to
 * another program needs the program in the path. On the program's custom domain, names need neither.
 */
export function buildLinkUrl(config: Config, { referralCode, vanitySlug, programSlug, isBareSlug, linkHost }: Link): string {
  if (vanitySlug === null) return buildCodeUrl(config, { referralCode, linkHost });
  if (linkHost !== null) return `https://${linkHost}/${vanitySlug}`;
  const base = `${getPublicUrl(config)}/r`;
  return isBareSlug ? `${base}/${vanitySlug}` : `${base}/${programSlug}/${vanitySlug}`;
}

/** The address with the referral code, which stays the same when the affiliate changes the slug. */
export function buildCodeUrl(config: Config, { referralCode, linkHost }: Pick<Link, 'referralCode' | 'linkHost'>): string {
  return linkHost === null ? `${getPublicUrl(config)}/r/${referralCode}` : `https://${linkHost}/${referralCode}`;
}
