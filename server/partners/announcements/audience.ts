// Who gets an announcement: affiliates by status, group and language.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { readBrand } from '../../accounts/programs/brand/brand.ts';
import type { Context, Tx } from '../../context.ts';
import { type Locale, locales, parseLocale } from '../../messaging/emails/look/look.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { oneOf, severalOf } from '../../platform/http/declaration/lists.ts';
import { Invalid } from '../../platform/lib/errors.ts';

const RecipientStatus = z.enum(['pending', 'active', 'suspended']).meta({ id: 'AnnouncementRecipientStatus' });

const unique = <Value>(values: Value[]): Value[] => [...new Set(values)];

const localeField = z.enum(locales).nullable().default(null).describe('Only affiliates with this language; null for all.');

export const audienceExample = { statuses: ['active' as const], groupIds: [], locale: null };

export const Audience = z
  .object({
    statuses: z
      .array(RecipientStatus)
      .min(1, 'must not be empty')
      .max(3)
      .transform(unique)
      .meta({ json: { type: 'array', items: { type: 'string', enum: RecipientStatus.options }, minItems: 1, maxItems: 3 } })
      .default(['active'])
      .describe('The statuses of affiliates who get it.'),
    groupIds: z
      .array(uuid)
      .max(100)
      .transform(unique)
      .meta({ json: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 100 } })
      .default([])
      .describe('Only affiliates in these groups; empty for all.'),
    locale: localeField,
  })
  .meta({ id: 'AnnouncementAudience', example: audienceExample });
export type Audience = z.output<typeof Audience>;

export const AudienceShown = z
  .object({
    statuses: z.array(RecipientStatus).describe('The statuses of affiliates who get it.'),
    groupIds: z.array(uuidOut).describe('Only affiliates in these groups; empty for all.'),
    locale: z.enum(locales).nullable().describe('Only affiliates with this language; null for all.'),
  })
  .meta({ id: 'AnnouncementAudienceShown', example: audienceExample });

/** Throws Invalid if a group is not one of the program. */
export async function requireGroups(tx: Tx, programId: string, { groupIds }: Audience): Promise<void> {
  if (groupIds.length === 0) return;
  const groups = tx.db.selectFrom('groups').select('id').where('programId', '=', programId).where('id', 'in', groupIds);
  const found = new Set((await groups.execute()).map(({ id }) => id));
  const missing = groupIds.findIndex((id) => !found.has(id));
  if (missing >= 0) throw new Invalid([{ path: ['audience', 'groupIds', String(missing)], message: 'was not found in this program' }]);
}

/**
 * The rows of the audience. The language is that of the user who claimed the affiliate, else of the user with the same address, else
 * the program's.
 */
function selectAudience(programId: string, { statuses, groupIds, locale }: Audience, fallback: Locale) {
  const language = sql<Locale>`coalesce(claimant.locale, namesake.locale, ${fallback})`;
  const conditions: RawBuilder<unknown>[] = [sql`affiliate.program_id = ${programId}`, sql`affiliate.status = any(${statuses}::text[])`];
  if (groupIds.length > 0) conditions.push(sql`affiliate.group_id = any(${groupIds}::uuid[])`);
  if (locale !== null) conditions.push(sql`${language} = ${locale}`);
  const from = sql`
    from affiliates as affiliate
    left join affiliate_accounts as account on account.program_id = ${programId} and account.affiliate_id = affiliate.id
    left join users as claimant on claimant.id = account.user_id
    left join users as namesake on namesake.email_key = affiliate.email_key
    left join email_recipients as recipient on recipient.program_id = ${programId} and recipient.email_key = affiliate.email_key
    where ${sql.join(conditions, sql` and `)}`;
  return { language, from };
}

type Counts = { recipients: number; optedOut: number };

/** How many affiliates are in the audience, and how many of them opted out of announcements. */
export async function countAudience(ctx: Pick<Context, 'db'>, programId: string, audience: Audience): Promise<Counts> {
  const { emailLocale } = await readBrand(ctx, programId);
  const { from } = selectAudience(programId, audience, emailLocale);
  const { rows } = await sql<Counts>`
    select count(*) as recipients, count(*) filter (where 'announcement' = any(recipient.opted_out_kinds)) as opted_out ${from}`.execute(
    ctx.db,
  );
  return rows[0] ?? { recipients: 0, optedOut: 0 };
}

export type AudienceMember = { id: string; email: string; firstName: string; locale: Locale };
type Slice = { after: string | null; limit: number };

/** The next affiliates of the audience, in the order of their ids. */
export async function listAudience(
  ctx: Pick<Context, 'db'>,
  programId: string,
  audience: Audience,
  { after, limit }: Slice,
): Promise<AudienceMember[]> {
  const { emailLocale } = await readBrand(ctx, programId);
  const { language, from } = selectAudience(programId, audience, emailLocale);
  const rest = after === null ? sql`` : sql`and affiliate.id > ${after}`;
  const { rows } = await sql<Omit<AudienceMember, 'locale'> & { locale: string }>`
    select affiliate.id, affiliate.email, affiliate.first_name, ${language} as locale ${from} ${rest}
    order by affiliate.id limit ${limit}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, locale: parseLocale(row.locale) ?? emailLocale }));
}

export const getAnnouncementAudience = endpoint({
  id: 'announcementAudience.get',
  route: 'GET /app/programs/:programId/announcement-audience',
  scope: 'read',
  requires: 'settings.write',
  isUserOnly: true,
  tag: 'Announcements',
  summary: 'Count the recipients of an announcement',
  query: z.object({
    status: oneOf(RecipientStatus).describe('The statuses of affiliates who get it; by default the active ones.'),
    groupId: severalOf(uuid).describe('Only affiliates in these groups.'),
    locale: z.enum(locales).optional().describe('Only affiliates with this language.'),
  }),
  statuses: [200],
  result: z
    .object({
      recipients: countOut.describe('The affiliates that match now.'),
      optedOut: countOut.describe('How many of them opted out of announcements, and get none.'),
    })
    .meta({ id: 'AnnouncementAudienceCount', example: { recipients: 214, optedOut: 4 } }),
  handle: (ctx, { actor: { programId }, query: { status, groupId, locale } }) =>
    countAudience(ctx, programId, Audience.parse({ statuses: status, groupIds: groupId, locale })),
});
