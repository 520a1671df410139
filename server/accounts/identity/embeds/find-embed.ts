// Looking up embeds. Whatever made one possible must still hold: the affiliate is active, the API key valid, the origin
// allowed and the program not being deleted.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { EmbedPrincipal } from '../../../platform/http/declaration/principal.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { EmbedKind, type EmbedTheme, parseTheme } from './embed.ts';
import { parseSecret, readEmbedSession } from './embed-token.ts';

export type Embed = {
  id: string;
  programId: string;
  affiliateId: string;
  currency: string;
  kind: EmbedKind;
  origin: string;
  locale: 'en' | 'de' | null;
  theme: EmbedTheme;
  expiresAt: Date;
  openedAt: Date | null;
};

type Row = Omit<Embed, 'kind' | 'theme' | 'locale'> & { kind: string; theme: Parameters<typeof parseTheme>[0]; locale: string | null };

/** The embed of a program that fulfils a condition; null without one, or if it has been ended. `lock` locks its row. */
export async function findEmbedWhere(
  ctx: Pick<Context, 'db' | 'clock'>,
  { programId, condition, lock = false }: { programId: string; condition: RawBuilder<unknown>; lock?: boolean },
): Promise<Embed | null> {
  const now = systemTime(ctx);
  const { rows } = await sql<Row>`
    select embed.id, embed.program_id, embed.affiliate_id, program.currency, embed.kind, embed.origin, embed.locale, embed.theme,
      embed.expires_at, embed.opened_at
    from embeds as embed
    join programs as program on program.id = ${programId}
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = embed.affiliate_id
    join api_keys as key on key.program_id = ${programId} and key.id = embed.api_key_id
    where embed.program_id = ${programId} and ${condition} and affiliate.status = 'active' and program.delete_after is null
      and embed.origin = any(program.embed_origins) and (key.revoked_at is null or key.revoked_at > ${now})
      and (key.expires_at is null or key.expires_at > ${now})
    ${lock ? sql`for no key update of embed` : sql``}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return null;
  const locale = row.locale === 'en' || row.locale === 'de' ? row.locale : null;
  return { ...row, locale, kind: EmbedKind.parse(row.kind), theme: parseTheme(row.theme) };
}

/** The embedded portal whose session an Authorization header has; null unless it is active. */
export async function findEmbed(ctx: Context, authorization: string): Promise<EmbedPrincipal | null> {
  const session = readEmbedSession(authorization);
  const parsed = session === null ? null : parseSecret('session', session);
  if (!parsed) return null;
  const { programId, secretHash } = parsed;
  const condition = sql`embed.session_hash = ${secretHash} and embed.session_expires_at > ${systemTime(ctx)}`;
  const embed = await findEmbedWhere(ctx, { programId, condition });
  if (!embed) return null;
  const { id, currency, affiliateId } = embed;
  return { kind: 'embed', id, programId, currency, affiliateId, affiliateStatus: 'active' };
}

/** The origins whose pages may embed the portal or the widget of a program; empty for an unknown program. */
export async function findEmbedOrigins(ctx: Pick<Context, 'db'>, programId: string): Promise<readonly string[]> {
  const programs = ctx.db.selectFrom('programs').select('embedOrigins').where('id', '=', programId).where('deleteAfter', 'is', null);
  return (await programs.executeTakeFirst())?.embedOrigins ?? [];
}
