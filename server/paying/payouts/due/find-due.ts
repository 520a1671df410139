// Finds what is due to affiliates. Debts are netted first: an affiliate is paid all that is owed less all that they owe
// back, never a single commission. Nothing that was paid is included (Contract §7 rule 5).
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { isOwed } from '../../../earning/commissions/counts.ts';
import { convertedBackCents } from '../../../earning/exchange-rates/exchange-sql.ts';
import { selectLatestRates } from '../../../earning/exchange-rates/find-rates.ts';
import { leftNote } from '../../../partners/affiliates/affiliate.ts';
import { maxBalanceCents } from '../../../platform/lib/money.ts';
import { chargesVat, findUnconvertibleCountry } from '../../invoices/vat-exchange.ts';
import { isValidAt } from '../../tax/tax-form.ts';
import type { ChosenProvider } from '../choose-provider.ts';
import { type PayoutExchange, type QuotedRate, toPayoutExchange } from '../exchange/payout-exchange.ts';

export const SkipReason = z
  .enum([
    'below_minimum',
    'no_payout_method',
    'tax_form_missing',
    'negative_balance',
    'affiliate_not_active',
    'on_hold',
    'provider_unavailable',
    'amount_too_large',
    'currency_unavailable',
    'exchange_rate_missing',
    'vat_rate_missing',
  ])
  .describe(
    '`on_hold`: the payout details were changed less than 72 hours ago, or the affiliate reported a change. `provider_unavailable`: the provider does not support the ' +
      "affiliate's payout method. `currency_unavailable`: the program or the provider does not pay in the currency that the " +
      'affiliate chose. `exchange_rate_missing`: no exchange rate of this currency is stored for the last 7 days. `vat_rate_missing`: the same for the currency in ' +
      'which the invoice must state its VAT.',
  )
  .meta({ id: 'PayoutSkipReason' });
type SkipReason = z.infer<typeof SkipReason>;

export type DueQuery = {
  cutoffAt: Date;
  affiliateIds?: readonly string[] | undefined;
  exceptAffiliateIds?: readonly string[] | undefined;
  minimumPayoutCents?: number | undefined;
};

export type DuePayout = {
  affiliateId: string;
  amountCents: number;
  commissionCount: number;
  method: string | null;
  destination: Buffer | null;
  fingerprint: string | null;
  /** Null: paid in the currency of the program. */
  exchange: PayoutExchange | null;
};
/** A payout that is about to be made, with the time of the oldest commission in it. */
export type PlannedPayout = DuePayout & { periodStartAt: Date };
/** The smallest amount that is paid to an affiliate, and from when their payout details are used. */
type Terms = { minimumCents: number; usableFrom: Date | null };
type Candidate = Omit<DuePayout, 'exchange'> & Terms & { skipReason: SkipReason | null } & QuotedRate;

type SkippedPayout = { affiliateId: string; amountCents: number; reason: SkipReason };
export type Due = { due: DuePayout[]; skipped: SkippedPayout[]; terms: ReadonlyMap<string, Terms> };

/** What is due, in the order of the affiliates' ids. Lock the ledger first to act on it. */
export async function findDue(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  query: DueQuery,
  provider: ChosenProvider,
): Promise<Due> {
  const candidates = await selectCandidates(ctx, programId, query, provider);
  const { rows } = await sql<Candidate>`select * from (${candidates}) as candidate order by affiliate_id`.execute(ctx.db);
  const terms = new Map(rows.map(({ affiliateId, minimumCents, usableFrom }) => [affiliateId, { minimumCents, usableFrom }]));
  const found: Due = { due: [], skipped: [], terms };
  for (const { skipReason, minimumCents: _minimum, usableFrom: _from, payoutCurrency, rate, quotedOn, rateSource, ...payout } of rows) {
    const { affiliateId, amountCents } = payout;
    const quoted = { payoutCurrency, rate, quotedOn, rateSource };
    if (skipReason) found.skipped.push({ affiliateId, amountCents, reason: skipReason });
    else found.due.push({ ...payout, exchange: toPayoutExchange(amountCents, provider.currency, quoted) });
  }
  return found;
}

/** Adds to payouts that are due when their oldest commission was earned. This reads all commissions that they contain. */
export async function addPeriods(
  { db }: Pick<Context, 'db'>,
  programId: string,
  { due, cutoffAt }: { due: readonly DuePayout[]; cutoffAt: Date },
): Promise<PlannedPayout[]> {
  const { rows } = await sql<{ affiliateId: string; at: Date }>`
    select affiliate_id, min(created_at) as at from (
      select * from commissions where program_id = ${programId} and ${isOwed}
      union all
      select * from commissions where program_id = ${programId} and ${isAboutToMature(cutoffAt)}
    ) as commissions
    where affiliate_id = any(${due.map(({ affiliateId }) => affiliateId)}::uuid[]) and ${isDueBy(programId, cutoffAt)}
    group by affiliate_id`.execute(db);
  const starts = new Map(rows.map(({ affiliateId, at }) => [affiliateId, at]));
  return due.map((payout) => {
    const periodStartAt = starts.get(payout.affiliateId);
    if (!periodStartAt) throw new Error('A payout that is due has no commissions.');
    return { ...payout, periodStartAt };
  });
}

/** How many affiliates would be paid at the time of the clock, and how much in all: the sums of `findDue`, added up by the database. */
export async function sumDue(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  provider: ChosenProvider,
): Promise<{ affiliates: number; amountCents: number }> {
  const candidates = await selectCandidates(ctx, programId, { cutoffAt: ctx.clock.now() }, provider);
  const { rows } = await sql<{ affiliates: number; amountCents: number }>`
    select count(*) as affiliates, coalesce(sum(amount_cents), 0)::bigint as amount_cents
    from (${candidates}) as candidate where skip_reason is null`.execute(ctx.db);
  return rows[0] ?? { affiliates: 0, amountCents: 0 };
}

/** Every affiliate with an amount owed, and why the affiliate is skipped; null for one who is paid. */
async function selectCandidates(
  ctx: Pick<Context, 'db' | 'clock'>,
  programId: string,
  { cutoffAt, affiliateIds, exceptAffiliateIds = [], minimumPayoutCents }: DueQuery,
  provider: ChosenProvider,
): Promise<RawBuilder<unknown>> {
  const now = ctx.clock.now();
  const unconvertible = await findUnconvertibleCountry(ctx, programId, provider);
  const chosen = affiliateIds ? sql`affiliate_id = any(${affiliateIds}::uuid[])` : sql`true`;
  const only = sql`${chosen} and affiliate_id <> all(${[...exceptAffiliateIds]}::uuid[])`;
  const minimumCents = sql`coalesce(${minimumPayoutCents ?? null}::bigint, team.minimum_payout_cents, program.minimum_payout_cents)`;
  return sql`
    select owed.*, detail.method, detail.encrypted_destination as destination, detail.fingerprint, detail.usable_from, ${minimumCents}::bigint as minimum_cents,
      ${ownCurrency} as payout_currency, quoted.rate::text as rate, quoted.quoted_on::text as quoted_on, quoted.source as rate_source,
      ${skipReason({ programId, minimumCents, now, provider, unconvertible })} as skip_reason
    from (
      select affiliate_id, sum(cents)::bigint as amount_cents, sum(commissions)::bigint as commission_count
      from (${selectParts(programId, cutoffAt)}) as part where ${only} group by affiliate_id having sum(commissions) > 0
    ) as owed
    join programs as program on program.id = ${programId}
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = owed.affiliate_id
    left join groups as team on team.program_id = ${programId} and team.id = affiliate.group_id
    left join payout_details as detail on detail.program_id = ${programId} and detail.affiliate_id = affiliate.id
    left join tax_forms as form on form.program_id = ${programId} and form.affiliate_id = affiliate.id
      and ${isValidAt(now)}
    left join (${selectLatestRates(programId, provider.today)}) as quoted on quoted.currency = ${ownCurrency}`;
}

/**
 * What adds up to the amount due: every debt is netted, and earnings are included if they had matured by `cutoffAt`. Starts
 * from the available balances, so that the number of commissions doesn't matter; each correction has its own index.
 */
function selectParts(programId: string, cutoffAt: Date): RawBuilder<unknown> {
  const owed = sql`(amount_cents - reversed_cents - settled_cents)`;
  return sql`
    select balance.affiliate_id, balance.available_cents as cents, coalesce(stored.commissions, 0) as commissions
    from ledger_balances as balance
    left join owed_commissions as stored on stored.program_id = ${programId} and stored.affiliate_id = balance.affiliate_id
    where balance.program_id = ${programId}
    union all
    select affiliate_id, ${owed}, 1 from commissions
    where program_id = ${programId} and ${isAboutToMature(cutoffAt)} and ${isDueBy(programId, cutoffAt)}
    union all
    select affiliate_id, -${owed}, -1 from commissions
    where program_id = ${programId} and status not in ('pending', 'held') and ${owed} > 0 and matures_at > ${cutoffAt}
    union all
    select affiliate_id, -${owed}, -1 from commissions
    join payout_lines as line on line.program_id = ${programId} and line.commission_id = commissions.id and line.is_live and line.cents > 0
    where commissions.program_id = ${programId} and status not in ('pending', 'held') and ${owed} > 0 and matures_at <= ${cutoffAt}`;
}

type Conditions = {
  programId: string;
  minimumCents: RawBuilder<unknown>;
  now: Date;
  provider: ChosenProvider;
  /** The country whose VAT can't be stated in its currency. */
  unconvertible: string | null;
};

/** The most permanent reason first. A provider without methods is manual: it needs no payout details. */
function skipReason({ programId, minimumCents, now, provider, unconvertible }: Conditions): RawBuilder<unknown> {
  const { methods, payoutCurrencies } = provider;
  const lacksVatRate = unconvertible === null ? sql`false` : chargesVat(programId, unconvertible);
  return sql`case
    when owed.amount_cents <= 0 then 'negative_balance'
    when owed.amount_cents > ${maxBalanceCents} then 'amount_too_large'
    when affiliate.status <> 'active' and not (affiliate.status = 'archived' and affiliate.status_note is not distinct from ${leftNote})
      then 'affiliate_not_active'
    when owed.amount_cents < ${minimumCents} then 'below_minimum'
    when program.tax_forms = 'required' and form.id is null then 'tax_form_missing'
    when detail.usable_from > ${now} or ${isReported(programId)} then 'on_hold'
    when cardinality(${[...methods]}::text[]) > 0 and detail.method is null then 'no_payout_method'
    when cardinality(${[...methods]}::text[]) > 0 and detail.method <> all(${[...methods]}::text[]) then 'provider_unavailable'
    when ${ownCurrency} is not null and ${ownCurrency} <> all(${[...payoutCurrencies]}::text[]) then 'currency_unavailable'
    when ${ownCurrency} is not null and quoted.rate is null then 'exchange_rate_missing'
    when ${lacksVatRate} then 'vat_rate_missing'
    when ${exchangeCents} = 0 then 'below_minimum'
    when ${exchangeCents} > ${maxBalanceCents} then 'amount_too_large'
  end`;
}

const exchangeCents = convertedBackCents({
  cents: sql`owed.amount_cents`,
  rate: sql`quoted.rate`,
  from: sql`program.currency`,
  to: sql`detail.payout_currency`,
});

/** The other currency that the affiliate chose. */
const ownCurrency = sql`nullif(detail.payout_currency, program.currency)`;

/**
 * The affiliate reported a change of payout details that was made by someone else. Payouts wait until staff decide; after
 * `fraud`, until other details are set.
 */
const isReported = (programId: string) => sql`exists (select 1 from fraud_events as report
  where report.program_id = ${programId} and report.affiliate_id = affiliate.id and report.kind = 'payout_change_reported'
    and (report.status = 'open' or (report.status = 'fraud' and (detail.updated_at is null or detail.updated_at <= report.resolved_at))))`;

/** Matured by the time, although the schedule has not updated the status yet. A dispatch updates it first. */
function isAboutToMature(cutoffAt: Date) {
  return sql`(status = 'pending' and matures_at <= ${cutoffAt})`;
}

/** Commissions that a dispatch with this cutoff includes. */
export function isDueBy(programId: string, cutoffAt: Date) {
  return sql`(amount_cents - reversed_cents - settled_cents < 0 or (matures_at <= ${cutoffAt} and not ${isInTransit(programId)}))`;
}

/** Part of an open payout. A debt can be netted in the meantime; more is paid only after that payout is final. */
const isInTransit = (programId: string) => sql`exists (select 1 from payout_lines as line
  where line.program_id = ${programId} and line.commission_id = commissions.id and line.is_live and line.cents > 0)`;
