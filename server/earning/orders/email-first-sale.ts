// Emails affiliates whose first order was recorded. Its transaction stores the job; the job writes the audit entry and the
// email. A unique index allows one such email per affiliate, whatever happens to the order and however often the job runs.
import { sql } from 'kysely';
import type { Tx } from '../../context.ts';
import { sendFirstSale } from '../../messaging/emails/kinds/earnings/first-sale.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { job, jobName } from '../../platform/queue/job.ts';

/** The first orders of affiliates, one for each. */
type FirstSales = { programId: string; conversionIds: string[] };

const firstSalesJob = jobName<FirstSales>('orders.email_first_sale');

const dayMs = 86_400_000;
/** Older orders are history that a program imports. */
const maxAgeDays = 7;

type Order = { id: string; affiliateId: string; occurredAt: Date };

/** Queues the emails of affiliates who had no order before these. */
export async function queueFirstSales(
  tx: Tx,
  programId: string,
  { beginners, orders }: { beginners: readonly string[]; orders: readonly Order[] },
): Promise<void> {
  const oldest = tx.clock.now().getTime() - maxAgeDays * dayMs;
  const recent = orders.filter(({ occurredAt }) => occurredAt.getTime() >= oldest);
  const conversionIds = beginners.flatMap((affiliateId) => recent.find((order) => order.affiliateId === affiliateId)?.id ?? []);
  if (conversionIds.length > 0) await tx.jobs.enqueue(tx, firstSalesJob, { programId, conversionIds });
}

export const emailFirstSales = job<FirstSales>({
  ...firstSalesJob,
  retries: 10,
  run: (ctx, { programId, conversionIds }) => transact(ctx, (tx) => writeEmails(tx, programId, conversionIds)),
});

const actor = { kind: 'schedule' as const, id: firstSalesJob.name };

type Sold = {
  affiliateId: string;
  email: string;
  firstName: string;
  conversionId: string;
  currency: string;
  commissionCents: number;
};

/** Writes the emails that no run has written. An order that was cancelled or rejected in the meantime gets none. */
async function writeEmails(tx: Tx, programId: string, conversionIds: readonly string[]): Promise<void> {
  for (const { affiliateId: id, email, firstName, conversionId, currency, commissionCents } of await lockSold(
    tx,
    programId,
    conversionIds,
  )) {
    const entry = { action: 'affiliate.first_sale' as const, subjectId: id, after: { conversionId, commissionCents, currency } };
    const changeId = await recordChange(tx, { programId, actor, ...entry });
    await sendFirstSale(tx, { programId, changeId, affiliate: { id, email, firstName }, commissionCents, currency });
  }
}

/** The affiliates without such an email. They are locked first, so that of two runs the second one finds the email of the first. */
async function lockSold(tx: Tx, programId: string, conversionIds: readonly string[]): Promise<Sold[]> {
  const ids = [...conversionIds];
  await sql`select from affiliates where program_id = ${programId} and id in (
    select affiliate_id from conversions where program_id = ${programId} and id = any(${ids}::uuid[])
  ) order by id for no key update`.execute(tx.db);
  const { rows } = await sql<Sold>`
    select affiliate.id as affiliate_id, affiliate.email, affiliate.first_name, conversion.id as conversion_id, conversion.currency,
      earned.cents as commission_cents
    from conversions as conversion
    join conversion_summaries as summary on summary.program_id = ${programId} and summary.id = conversion.id
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = conversion.affiliate_id
    cross join lateral (
      select coalesce(sum(amount_cents - reversed_cents), 0)::bigint as cents from commissions
      where program_id = ${programId} and conversion_id = conversion.id and affiliate_id = conversion.affiliate_id and moved_at is null
    ) as earned
    where conversion.program_id = ${programId} and conversion.id = any(${ids}::uuid[]) and summary.status not in ('rejected', 'reversed')
      and affiliate.status = 'active' and not exists (
        select from emails where program_id = ${programId} and affiliate_id = affiliate.id and kind = 'first_sale'
      )
    order by affiliate.id`.execute(tx.db);
  return rows;
}
