// What the console shows at the top of an affiliate's screen: status, money by state, and how the affiliate is paid.
import { sql } from 'kysely';
import { z } from 'zod';
import { findActorNames } from '../../accounts/programs/actor-names.ts';
import type { Context } from '../../context.ts';
import { readRecipient } from '../../messaging/emails/opt-out/recipient.ts';
import { AffiliateStatus, affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { lastSale, lifetimeSales } from '../../partners/affiliates/totals/pending.ts';
import { TaxFormKind } from '../../paying/tax/form-fields.ts';
import { NamedActor } from '../../platform/http/declaration/actor-shape.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';

const Money = z
  .object({
    pendingCents: centsOut.describe('In the hold period.'),
    heldCents: centsOut.describe('On hold: a decision is required.'),
    approvedCents: centsOut.describe('Ready to pay. Negative if the affiliate owes it.'),
    inTransitCents: centsOut,
    paidCents: centsOut,
    reversedCents: centsOut.describe('Clawed back after refunds, or rejected.'),
  })
  .meta({ id: 'MoneyByState' });

const Summary = z
  .object({
    id: uuidOut,
    currency: currencyOut,
    status: AffiliateStatus,
    statusChangedAt: timestampOut.nullable(),
    statusChangedBy: NamedActor.nullable(),
    statusNote: z.string().nullable(),
    invitedAt: timestampOut.nullable(),
    lastSaleAt: timestampOut.nullable(),
    salesCents: centsOut,
    money: Money.describe('What the affiliate earned, by state.'),
    nextMaturity: z
      .object({
        maturesAt: timestampOut,
        amountCents: centsOut,
        commissions: countOut.describe('How many commissions mature on this day.'),
      })
      .nullable()
      .describe('The next day on which pending commissions become payable.'),
    payoutDetails: z
      .object({ method: z.string().describe('How the affiliate is paid.'), usableFrom: timestampOut })
      .nullable()
      .describe('Never the account itself.'),
    taxForm: z.object({ kind: TaxFormKind, signedAt: timestampOut, validUntil: timestampOut.nullable() }).nullable(),
    emails: z
      .object({ optedOutAt: timestampOut.nullable(), bouncedAt: timestampOut.nullable(), bounceReason: z.string().nullable() })
      .describe('Whether the address opted out of optional emails, or was rejected by its mail server.'),
    notes: countOut.describe('How many notes members wrote about the affiliate.'),
  })
  .meta({
    id: 'AffiliateSummary',
    example: {
      id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      currency: 'USD',
      status: 'active',
      statusChangedAt: '2026-11-03T10:00:00.000Z',
      statusChangedBy: { kind: 'user', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14', name: 'Dana Calder' },
      statusNote: null,
      invitedAt: '2026-11-02T09:30:00.000Z',
      lastSaleAt: '2026-11-19T18:12:00.000Z',
      salesCents: 168_900,
      money: { pendingCents: 3_490, heldCents: 0, approvedCents: 12_850, inTransitCents: 0, paidCents: 8_990, reversedCents: 410 },
      nextMaturity: { maturesAt: '2026-12-01T00:00:00.000Z', amountCents: 1_200, commissions: 2 },
      payoutDetails: { method: 'paypal', usableFrom: '2026-11-06T10:00:00.000Z' },
      taxForm: null,
      emails: { optedOutAt: null, bouncedAt: '2026-11-18T07:00:00.000Z', bounceReason: '550 5.1.1 No such mailbox.' },
      notes: 1,
    },
  });

export const getAffiliateSummary = endpoint({
  id: 'affiliateTable.summary',
  route: 'GET /app/programs/:programId/affiliates/:id/summary',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: "Get an affiliate's status, money and payout method",
  path: { id: affiliateSlot },
  statuses: [200],
  result: Summary,
  async handle(ctx, { actor: { programId, currency }, params: { id } }) {
    const owner = { programId, id };
    const [facts, money, nextMaturity] = [await readFacts(ctx, owner), await readMoney(ctx, owner), await findNextMaturity(ctx, owner)];
    return {
      id,
      currency,
      status: AffiliateStatus.parse(facts.status),
      statusChangedAt: facts.statusChangedAt?.toISOString() ?? null,
      statusChangedBy: await findStatusActor(ctx, owner),
      statusNote: facts.statusNote,
      invitedAt: facts.invitedAt?.toISOString() ?? null,
      lastSaleAt: facts.lastSaleAt?.toISOString() ?? null,
      salesCents: facts.salesCents,
      emails: await readEmails(ctx, programId, facts.email),
      money,
      nextMaturity,
      payoutDetails: facts.method && facts.usableFrom ? { method: facts.method, usableFrom: facts.usableFrom.toISOString() } : null,
      taxForm:
        facts.taxKind && facts.signedAt
          ? {
              kind: TaxFormKind.parse(facts.taxKind),
              signedAt: facts.signedAt.toISOString(),
              validUntil: facts.validUntil?.toISOString() ?? null,
            }
          : null,
      notes: facts.notes,
    };
  },
});

type Owner = { programId: string; id: string };
type Facts = {
  status: string;
  email: string;
  statusChangedAt: Date | null;
  statusNote: string | null;
  invitedAt: Date | null;
  lastSaleAt: Date | null;
  salesCents: number;
  method: string | null;
  usableFrom: Date | null;
  taxKind: string | null;
  signedAt: Date | null;
  validUntil: Date | null;
  notes: number;
};

async function readFacts(ctx: Pick<Context, 'db'>, { programId, id }: Owner): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select affiliate.status, affiliate.email, affiliate.status_changed_at, affiliate.status_note, affiliate.invited_at,
      nullif(${lastSale(sql`${programId}`)}, '-infinity') as last_sale_at, ${lifetimeSales(programId)} as sales_cents, detail.method, detail.usable_from, form.kind as tax_kind, form.signed_at, form.valid_until,
      (select count(*) from affiliate_notes as note where note.program_id = ${programId} and note.affiliate_id = affiliate.id) as notes
    from affiliates as affiliate
    left join affiliate_figures as figure on figure.program_id = ${programId} and figure.affiliate_id = affiliate.id
    left join payout_details as detail on detail.program_id = ${programId} and detail.affiliate_id = affiliate.id
    left join tax_forms as form
      on form.program_id = ${programId} and form.affiliate_id = affiliate.id and form.superseded_at is null
    where affiliate.program_id = ${programId} and affiliate.id = ${id}`.execute(ctx.db);
  const [facts] = rows;
  if (!facts) throw new Error('The affiliate is missing.');
  return facts;
}

async function readEmails(ctx: Pick<Context, 'db'>, programId: string, address: string) {
  const { optedOutAt, bouncedAt, bounceReason } = await readRecipient(ctx, { programId, address });
  return { optedOutAt: optedOutAt?.toISOString() ?? null, bouncedAt: bouncedAt?.toISOString() ?? null, bounceReason };
}

/** An affiliate's money by state. As in `GET …/balance`, commissions are ready to pay from the moment they mature. */
export async function readMoney(ctx: Pick<Context, 'db' | 'clock'>, { programId, id }: Owner): Promise<z.input<typeof Money>> {
  const owed = sql`amount_cents - reversed_cents - settled_cents`;
  const { rows } = await sql<z.input<typeof Money>>`
    select coalesce(sum(${owed}) filter (where status = 'pending' and matures_at > ${ctx.clock.now()}), 0)::bigint as pending_cents,
      coalesce(sum(${owed}) filter (where status = 'held'), 0)::bigint as held_cents,
      coalesce(sum(${owed}) filter (where status not in ('pending', 'held') or (status = 'pending' and matures_at <= ${ctx.clock.now()})), 0)::bigint
        as approved_cents,
      coalesce(max(balance.in_transit_cents), 0) as in_transit_cents, coalesce(max(balance.paid_cents), 0) as paid_cents,
      coalesce(sum(reversed_cents), 0)::bigint as reversed_cents
    from (select 1) as always
    left join commissions as commission on commission.program_id = ${programId} and commission.affiliate_id = ${id}
    left join ledger_balances as balance on balance.program_id = ${programId} and balance.affiliate_id = ${id}`.execute(ctx.db);
  const [money] = rows;
  if (!money) throw new Error('The sums of commissions are missing.');
  return money;
}

/** When the next commissions mature. Commissions that mature on the same day, in the program's time zone, are added up. */
export async function findNextMaturity(ctx: Pick<Context, 'db' | 'clock'>, { programId, id }: Owner) {
  const { rows } = await sql<{ maturesAt: Date; amountCents: number; commissions: number }>`
    select min(matures_at) as matures_at, sum(amount_cents - reversed_cents - settled_cents)::bigint as amount_cents, count(*) as commissions
    from commissions join programs as program on program.id = commissions.program_id
    where program_id = ${programId} and affiliate_id = ${id} and commissions.status = 'pending' and matures_at > ${ctx.clock.now()}
    group by (matures_at at time zone program.timezone)::date order by 1 limit 1`.execute(ctx.db);
  const [next] = rows;
  return next ? { ...next, maturesAt: next.maturesAt.toISOString() } : null;
}

/** Null after an application: its applicant did not set the status, which a rule may have approved. */
async function findStatusActor(ctx: Pick<Context, 'db'>, { programId, id }: Owner) {
  const { rows } = await sql<{ kind: string; id: string }>`
    select actor_kind as kind, actor_id as id from audit_log
    where program_id = ${programId} and subject_id = ${id} and action like 'affiliate.%' and action <> 'affiliate.applied'
      and after ? 'status'
    order by created_at desc, id desc limit 1`.execute(ctx.db);
  const [actor] = rows;
  return actor ? (await findActorNames(ctx, programId, [actor]))(actor) : null;
}
