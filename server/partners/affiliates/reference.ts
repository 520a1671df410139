import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';
import { fullName } from '../../platform/lib/text.ts';
import { buildLinkUrl, joinLinkHost, type Link } from './links/link-url.ts';

/** An affiliate as other objects show it with `?expand=affiliate`. */
export const AffiliateReference = z
  .object({ id: uuidOut, name: z.string(), email: z.string(), referralCode: z.string(), linkUrl: z.string() })
  .meta({ id: 'AffiliateReference' });

type Reference = z.input<typeof AffiliateReference>;
type Row = Link & { id: string; firstName: string; lastName: string; email: string };

/** References to affiliates by id, for `?expand=affiliate`; one query, or none where nothing is expanded. */
export async function findAffiliateReferences(
  ctx: Pick<Context, 'db' | 'config'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select affiliate.id, affiliate.first_name, affiliate.last_name, affiliate.email, affiliate.referral_code, affiliate.vanity_slug,
      program.slug as program_slug, bare.slug is not null as is_bare_slug, link_host.host as link_host
    from affiliates as affiliate join programs as program on program.id = affiliate.program_id
    left join bare_links as bare on bare.slug = affiliate.vanity_slug and bare.program_id = affiliate.program_id
    ${joinLinkHost(programId)}
    where affiliate.program_id = ${programId} and affiliate.id = any(${[...new Set(ids)]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, toReference(ctx, row)]));
}

function toReference({ config }: Pick<Context, 'config'>, row: Row): Reference {
  const { id, firstName, lastName, email, referralCode } = row;
  return { id, name: fullName({ firstName, lastName }), email, referralCode, linkUrl: buildLinkUrl(config, row) };
}
