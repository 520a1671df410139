// The entries of a program, newest first.
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, page, timestampIn, timestampOut, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { accounts, movements } from './chart.ts';

const kinds = Object.keys(movements) as [keyof typeof movements, ...(keyof typeof movements)[]];
const Account = z.enum(accounts).meta({ id: 'LedgerAccount' });

const EntryShape = z
  .object({
    seq: countOut.describe('Without gaps, in the order of booking.'),
    id: uuidOut,
    kind: z.enum(kinds),
    affiliateId: uuidOut,
    commissionId: uuidOut.nullable(),
    debit: Account.describe('The account that the money leaves.'),
    credit: Account.describe('The account that it reaches.'),
    cents: centsOut.describe('Greater than 0.'),
    currency: z.string(),
    ref: z.string().describe('What caused it; once for each kind.'),
    hash: z.string().describe('SHA-256 over the hash before it and this entry, in hex.'),
    createdAt: timestampOut,
  })
  .meta({ id: 'LedgerEntry' });

export const listEntries = endpoint({
  id: 'ledger.entries',
  route: 'GET /v1/programs/:programId/ledger/entries',
  scope: 'read',
  tag: 'Ledger',
  summary: 'List ledger entries',
  description: `Newest first. Each entry moves an amount from one account to another:\n\n${kinds.map((kind) => `- \`${kind}\`: ${movements[kind].meaning}`).join('\n')}\n\n`,
  query: z.object({
    affiliateId: uuid.optional(),
    commissionId: uuid.optional(),
    kind: z.enum(kinds).optional(),
    from: timestampIn.optional().describe('Booked at or after.'),
    to: timestampIn.optional().describe('Booked before.'),
    ...page,
  }),
  statuses: [200],
  result: z.object({ entries: z.array(EntryShape), total: countOut, limit: countOut, offset: countOut }).meta({ id: 'LedgerEntryList' }),
  async handle(ctx, { actor, query: { affiliateId, commissionId, kind, from, to, limit, offset } }) {
    let entries = ctx.db.selectFrom('ledgerEntries').where('programId', '=', actor.programId);
    if (affiliateId) entries = entries.where('affiliateId', '=', affiliateId);
    if (commissionId) entries = entries.where('commissionId', '=', commissionId);
    if (kind) entries = entries.where('kind', '=', kind);
    if (from) entries = entries.where('createdAt', '>=', from);
    if (to) entries = entries.where('createdAt', '<', to);
    const { total } = await entries.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await entries.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset).execute();
    const shown = rows.map(({ programId: _, ...row }) => ({
      ...row,
      kind: z.enum(kinds).parse(row.kind),
      debit: Account.parse(row.debit),
      credit: Account.parse(row.credit),
      hash: row.hash.toString('hex'),
      createdAt: row.createdAt.toISOString(),
    }));
    return { entries: shown, total, limit, offset };
  },
});
