// The exports of each system for the same program.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { OldCommission, OldProgram, OldState } from './old-program.ts';

type Cell = string | number | null;
type Files = Record<string, [header: string[], ...rows: Cell[][]]>;

const iso = (at: Date | null) => at?.toISOString() ?? '';
const decimal = (cents: number) => (cents / 100).toFixed(2);
const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
const saleOf = ({ sale, id, at, amountCents }: OldCommission) => sale ?? { id, at, amountCents, refundedCents: 0, customer: '' };

export const formats: Record<string, (program: OldProgram) => Files> = {
  csv: ({ affiliates, sales, commissions, payouts }) => ({
    affiliates: [
      ['id', 'email', 'firstName', 'lastName', 'createdAt', 'upline'],
      ...affiliates.map((one) => [one.id, one.email, one.first, one.last, iso(one.at), one.upline?.email ?? '']),
    ],
    links: [['affiliate', 'slug'], ...affiliates.map(({ id, token }) => [id, token])],
    orders: [
      ['orderId', 'affiliate', 'amount', 'currency', 'occurredAt', 'customerId', 'refunded'],
      ...sales.map((sale) => [
        sale.id,
        sale.affiliate.id,
        decimal(sale.amountCents),
        'USD',
        iso(sale.at),
        sale.customer,
        decimal(sale.refundedCents),
      ]),
    ],
    commissions: [
      ['commissionId', 'affiliate', 'orderId', 'amount', 'status', 'createdAt', 'maturesAt', 'paidAt', 'rejectedAt', 'payoutId'],
      ...commissions.map((one) => [
        one.id,
        one.affiliate.email,
        one.sale?.id ?? '',
        decimal(one.amountCents),
        one.state,
        iso(one.at),
        iso(one.dueAt),
        iso(one.paidAt),
        iso(one.rejectedAt),
        one.payout?.id ?? '',
      ]),
    ],
    payouts: [
      ['payoutId', 'affiliate', 'amount', 'paidAt'],
      ...payouts.map((one) => [one.id, one.affiliate.id, decimal(one.amountCents), iso(one.at)]),
    ],
  }),
  rewardful: ({ affiliates, commissions, payouts }) => {
    const states: Record<OldState, string> = { pending: 'pending', approved: 'due', paid: 'paid', rejected: 'voided' };
    return {
      affiliates: [
        ['id', 'created_at', 'state', 'first_name', 'last_name', 'email', 'token'],
        ...affiliates.map((one) => [one.id, iso(one.at), 'active', one.first, one.last, one.email, one.token]),
      ],
      commissions: [
        [
          'id',
          'created_at',
          'amount',
          'currency',
          'state',
          'due_at',
          'paid_at',
          'voided_at',
          'sale.stripe_charge_id',
          'sale.charged_at',
          'sale.sale_amount_cents',
          'sale.refund_amount_cents',
          'sale.referral.stripe_customer_id',
          'affiliate.id',
        ],
        ...commissions.map((one) => {
          const sale = saleOf(one);
          const saleId = one.sale ? sale.id : '';
          return [
            one.id,
            iso(one.at),
            one.amountCents,
            'USD',
            states[one.state],
            iso(one.dueAt),
            iso(one.paidAt),
            iso(one.rejectedAt),
            saleId,
            iso(sale.at),
            sale.amountCents,
            sale.refundedCents,
            sale.customer,
            one.affiliate.id,
          ];
        }),
      ],
      payouts: [
        ['id', 'currency', 'paid_at', 'state', 'amount', 'affiliate.id'],
        ...payouts.map((one) => [one.id, 'USD', iso(one.at), 'paid', one.amountCents, one.affiliate.id]),
      ],
    };
  },
  tapfiliate: ({ affiliates, commissions, payouts }) => {
    const states: Record<OldState, string> = { pending: 'pending', approved: 'approved', paid: 'approved', rejected: 'disapproved' };
    return {
      affiliates: [
        ['id', 'firstname', 'lastname', 'email', 'created_at', 'parent.id'],
        ...affiliates.map((one) => [one.id, one.first, one.last, one.email, iso(one.at), one.upline?.id ?? '']),
      ],
      conversions: [
        [
          'external_id',
          'amount',
          'created_at',
          'affiliate_email',
          'program',
          'currency',
          'customer_id',
          'commission_status',
          'commission_type',
          'commission_amount',
          'payout',
        ],
        ...commissions.map((one) => {
          const sale = saleOf(one);
          return [
            sale.id,
            decimal(sale.amountCents),
            iso(one.at),
            one.affiliate.email,
            'default',
            'USD',
            sale.customer,
            states[one.state],
            'standard',
            decimal(one.amountCents),
            one.payout?.id ?? '',
          ];
        }),
      ],
      payments: [
        ['id', 'created_at', 'affiliate_id', 'amount', 'currency'],
        ...payouts.map((one) => [one.id, iso(one.at), one.affiliate.id, decimal(one.amountCents), 'USD']),
      ],
    };
  },
  firstpromoter: ({ affiliates, commissions, payouts }) => {
    const states: Record<OldState, string> = { pending: 'pending', approved: 'approved', paid: 'approved', rejected: 'denied' };
    return {
      promoters: [
        ['id', 'email', 'name', 'state', 'joined_at', 'ref_token', 'parent_promoter_id'],
        ...affiliates.map((one) => [
          one.id,
          one.email,
          `${one.first} ${one.last}`,
          'accepted',
          iso(one.at),
          one.token,
          one.upline?.id ?? '',
        ]),
      ],
      commissions: [
        [
          'id',
          'status',
          'commission_type',
          'sale_amount',
          'event_id',
          'tier',
          'unit',
          'amount',
          'is_paid',
          'created_at',
          'status_updated_at',
          'promoter_campaign.promoter.id',
          'referral.uid',
        ],
        ...commissions.map((one) => {
          const sale = saleOf(one);
          return [
            one.id,
            states[one.state],
            one.sale ? 'sale' : 'custom',
            sale.amountCents,
            one.sale ? sale.id : '',
            1,
            'cash',
            one.amountCents,
            String(one.state === 'paid'),
            iso(one.at),
            iso(one.rejectedAt),
            one.affiliate.id,
            sale.customer,
          ];
        }),
      ],
      payouts: [
        ['id', 'status', 'amount', 'promoter.id', 'paid_at'],
        ...payouts.map((one) => [one.id, 'completed', one.amountCents, one.affiliate.id, iso(one.at)]),
      ],
    };
  },
  dub: ({ affiliates, commissions, payouts }) => {
    const states: Record<OldState, string> = { pending: 'pending', approved: 'processed', paid: 'paid', rejected: 'fraud' };
    return {
      partners: [
        ['ID', 'Name', 'Email', 'Country', 'Status', 'Enrolled at'],
        ...affiliates.map((one) => [one.id, `${one.first} ${one.last}`, one.email, 'US', 'approved', iso(one.at)]),
      ],
      commissions: [
        [
          'ID',
          'Type',
          'Amount',
          'Earnings',
          'Currency',
          'Status',
          'Invoice ID',
          'Quantity',
          'Created at',
          'Partner ID',
          'Customer external ID',
        ],
        ...commissions.map((one) => {
          const sale = saleOf(one);
          return [
            one.id,
            one.sale ? 'sale' : 'custom',
            dollars(sale.amountCents),
            dollars(one.amountCents),
            'usd',
            states[one.state],
            one.sale ? sale.id : '',
            1,
            iso(one.at),
            one.affiliate.id,
            sale.customer,
          ];
        }),
      ],
      payouts: [
        ['ID', 'Amount', 'Currency', 'Status', 'Period start', 'Period end', 'Initiated at', 'Paid at', 'Partner ID'],
        ...payouts.map((one) => [one.id, dollars(one.amountCents), 'usd', 'completed', '', '', '', iso(one.at), one.affiliate.id]),
      ],
    };
  },
  partnerstack: ({ affiliates, sales, commissions }) => {
    const states: Record<OldState, string> = { pending: 'pending', approved: 'approved', paid: 'approved', rejected: 'declined' };
    return {
      partnerships: [
        ['key', 'partner_key', 'email', 'first_name', 'last_name', 'joined_at'],
        ...affiliates.map((one) => [one.id, one.token, one.email, one.first, one.last, one.at.getTime()]),
      ],
      transactions: [
        ['key', 'amount', 'currency', 'customer_key', 'created_at'],
        ...sales.map((sale) => [sale.id, sale.amountCents, 'USD', sale.customer, sale.at.getTime()]),
      ],
      rewards: [
        [
          'key',
          'amount',
          'created_at',
          'updated_at',
          'description',
          'reward_status',
          'payment_status',
          'partnership.partner_key',
          'transaction.key',
        ],
        ...commissions.map((one) => [
          one.id,
          one.amountCents,
          one.at.getTime(),
          (one.paidAt ?? one.rejectedAt ?? one.at).getTime(),
          '',
          states[one.state],
          one.state === 'paid' ? 'withdrawn' : '',
          one.affiliate.token,
          one.sale?.id ?? '',
        ]),
      ],
    };
  },
};

/** The systems whose exports say who recruited an affiliate. */
export const withUplines: readonly string[] = ['csv', 'tapfiliate', 'firstpromoter'];

/** Writes the exports of a system into a folder, and returns it. */
export async function writeExports(folder: string, format: string, program: OldProgram): Promise<string> {
  const files = formats[format]?.(program);
  if (!files) throw new Error(`There is no format ${format}.`);
  const path = join(folder, format);
  await mkdir(path, { recursive: true });
  for (const [name, rows] of Object.entries(files)) await writeFile(join(path, `${name}.csv`), stringify(rows));
  return path;
}
