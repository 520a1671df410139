// Emails affiliates who are owed money that can't be paid, because their payout details or their tax form are missing.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { type MissingForPayout, sendPayoutRequest } from '../../../messaging/emails/kinds/payouts/request.ts';
import { recordChanges } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuid } from '../../../platform/http/declaration/fields.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { chooseProvider } from '../choose-provider.ts';
import { findDue } from './find-due.ts';

/** How long an affiliate is not asked again. */
const pauseDays = 3;
/** Emails of one request; asking again continues with the others. */
const maxEmails = 500;

const missingOf: Record<string, MissingForPayout | undefined> = { no_payout_method: 'payout_details', tax_form_missing: 'tax_form' };

export const requestMissing = endpoint({
  id: 'payouts.requestMissing',
  route: 'POST /v1/programs/:programId/payouts/due/requests',
  scope: 'write',
  requires: 'payouts.prepare',
  tag: 'Payouts',
  summary: 'Ask affiliates for payout details or a tax form',
  description:
    `Emails affiliates who would be skipped with \`no_payout_method\` or \`tax_form_missing\`. An affiliate is asked at most once in ` +
    `${pauseDays} days; one request sends at most ${maxEmails} emails.`,
  body: z
    .object({
      reason: z.enum(['no_payout_method', 'tax_form_missing']).describe('What is missing.'),
      affiliateIds: z.array(uuid).min(1).max(maxEmails).optional().describe('Ask only these affiliates.'),
    })
    .meta({ id: 'RequestMissing', example: { reason: 'no_payout_method' } }),
  statuses: [200],
  result: z
    .object({
      requestedCount: countOut.describe('The number of affiliates who were emailed.'),
      askedRecentlyCount: countOut.describe(`The number of affiliates who had been asked in the last ${pauseDays} days.`),
      requestedAt: timestampOut,
    })
    .meta({
      id: 'MissingRequested',
      example: { requestedCount: 31, askedRecentlyCount: 2, requestedAt: '2026-11-02T09:30:00.000Z' },
    }),
  async handle(tx, { actor, body: { reason, affiliateIds } }) {
    const { programId } = actor;
    const now = tx.clock.now();
    const provider = await chooseProvider(tx, programId, undefined);
    const { skipped } = await findDue(tx, programId, { cutoffAt: now, affiliateIds }, provider);
    const found = skipped.filter((one) => one.reason === reason);
    const owed = new Map(found.map(({ affiliateId, amountCents }) => [affiliateId, amountCents]));
    const recent = new Date(systemTime(tx).getTime() - pauseDays * 86_400_000);
    const affiliates = await lockUnasked(tx, programId, { ids: [...owed.keys()], recent });
    const missing = missingOf[reason] ?? 'payout_details';
    const changes = affiliates.map(({ id }) => ({
      action: 'payout_details.requested' as const,
      subjectId: id,
      after: { missing, amountCents: owed.get(id) ?? 0 },
    }));
    const changeIds = await recordChanges(tx, { programId, actor }, changes);
    for (const [index, affiliate] of affiliates.entries()) {
      const amount = { amountCents: owed.get(affiliate.id) ?? 0, currency: provider.currency };
      await sendPayoutRequest(tx, { programId, changeId: changeIds[index] ?? '', affiliate, missing, ...amount });
    }
    const askedRecentlyCount = (await countAsked(tx, programId, { ids: [...owed.keys()], recent })) - affiliates.length;
    return { requestedCount: affiliates.length, askedRecentlyCount, requestedAt: now.toISOString() };
  },
});

type Asked = { ids: readonly string[]; recent: Date };

/** Affiliates who were not asked recently. Their rows are locked first, so that of two concurrent requests one sends the email. */
async function lockUnasked(tx: Tx, programId: string, { ids, recent }: Asked) {
  await sql`select from affiliates where program_id = ${programId} and id = any(${[...ids]}::uuid[])
    order by id for no key update`.execute(tx.db);
  const { rows } = await sql<{ id: string; email: string; firstName: string }>`
    select affiliate.id, affiliate.email, affiliate.first_name from affiliates as affiliate
    where affiliate.program_id = ${programId} and affiliate.id = any(${[...ids]}::uuid[]) and not ${wasAsked(programId, recent)}
    order by affiliate.id limit ${maxEmails}`.execute(tx.db);
  return rows;
}

async function countAsked(tx: Tx, programId: string, { ids, recent }: Asked): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from affiliates as affiliate
    where affiliate.program_id = ${programId} and affiliate.id = any(${[...ids]}::uuid[]) and ${wasAsked(programId, recent)}`.execute(
    tx.db,
  );
  return rows[0]?.count ?? 0;
}

/** When affiliates were last asked, by their ids. */
export async function findRequests(
  ctx: Pick<Context, 'db'>,
  programId: string,
  skipped: readonly { affiliateId: string; reason: string }[],
): Promise<Map<string, Date>> {
  const ids = skipped.filter(({ reason }) => missingOf[reason] !== undefined).map(({ affiliateId }) => affiliateId);
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; at: Date }>`
    select subject_id as id, max(created_at) as at from audit_log
    where program_id = ${programId} and subject_id = any(${ids}::uuid[]) and action = 'payout_details.requested'
    group by subject_id`.execute(ctx.db);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

function wasAsked(programId: string, recent: Date) {
  return sql`exists (select from audit_log as entry where entry.program_id = ${programId} and entry.subject_id = affiliate.id
    and entry.action = 'payout_details.requested' and entry.created_at > ${recent})`;
}
