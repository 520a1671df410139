import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { buildLinkUrl, joinLinkHost, type Link } from './link-url.ts';

type Owner = { programId: string; affiliateId: string };

/** The address that the affiliate shares, and what it is made of. */
export async function readLink(ctx: Pick<Context, 'db' | 'config'>, { programId, affiliateId }: Owner): Promise<Link & { url: string }> {
  const { rows } = await sql<Link>`
    select affiliate.referral_code, affiliate.vanity_slug, program.slug as program_slug, bare.slug is not null as is_bare_slug, link_host.host as link_host
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    left join bare_links as bare on bare.slug = affiliate.vanity_slug and bare.program_id = affiliate.program_id
    ${joinLinkHost(programId)}
    where affiliate.program_id = ${programId} and affiliate.id = ${affiliateId}`.execute(ctx.db);
  const [link] = rows;
  if (!link) throw new Error('The affiliate is missing.');
  return { ...link, url: buildLinkUrl(ctx.config, link) };
}
