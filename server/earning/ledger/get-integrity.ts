// Verifies a ledger on request: its hash chain since the last seal, and the sum of its accounts.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { chainFaultKinds, verifyChain } from './verify-chain.ts';

export const getIntegrity = endpoint({
  id: 'ledger.integrity',
  route: 'GET /v1/programs/:programId/ledger/integrity',
  scope: 'read',
  tag: 'Ledger',
  summary: 'Verify ledger integrity',
  description:
    'Recomputes the hash chain from the last sealed entry, compares its end with the stored head, and verifies that the sum of ' +
    'all accounts is 0. Every night the complete chain is verified and its end is sealed in the audit log; `full=true` verifies ' +
    'the complete chain now. Store `head` outside Tributary: a ledger that was truncated or rewritten can never reproduce it.',
  query: z.object({
    full: z.enum(['true', 'false']).default('false').describe('Verifies the chain from the first entry instead of from the last seal.'),
  }),
  statuses: [200],
  heavy: true,
  result: z
    .object({
      isValid: z.boolean(),
      entryCount: countOut.describe('The number of entries in the ledger.'),
      verifiedCount: countOut.describe('The number of entries verified by this request; the other entries precede the last seal.'),
      sealedAt: timestampOut.nullable().describe('When the end of the ledger was last sealed.'),
      head: z.string().describe('The hash of the last entry, in hex.'),
      sumCents: centsOut.describe('The sum of all accounts, which must be 0.'),
      currency: currencyOut,
      faults: z.array(z.object({ seq: countOut, kind: z.enum([...chainFaultKinds, 'unbalanced']) })).describe('At most 101.'),
      checkedAt: timestampOut,
    })
    .meta({
      id: 'LedgerIntegrity',
      example: {
        isValid: true,
        entryCount: 1042,
        verifiedCount: 42,
        sealedAt: '2026-11-02T03:17:00.000Z',
        head: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        sumCents: 0,
        currency: 'USD',
        faults: [],
        checkedAt: '2026-11-02T09:30:00.000Z',
      },
    }),
  async handle(ctx, { actor: { programId, currency }, query }) {
    const { sealedAt, faults, ...chain } = await verifyChain(ctx.db, programId, { isFull: query.full === 'true' });
    const sumCents = await sumAccounts(ctx, programId);
    const unbalanced = sumCents === 0 ? [] : [{ seq: chain.entryCount, kind: 'unbalanced' as const }];
    const all = [...faults.map(({ seq, fault }) => ({ seq, kind: fault })), ...unbalanced];
    return {
      ...chain,
      isValid: all.length === 0,
      sealedAt: sealedAt?.toISOString() ?? null,
      sumCents,
      currency,
      faults: all,
      checkedAt: ctx.clock.now().toISOString(),
    };
  },
});

async function sumAccounts(ctx: Context, programId: string): Promise<number> {
  const { rows } = await sql<{ sumCents: number }>`
    select coalesce((select sum(pending_cents + available_cents + in_transit_cents + paid_cents) from ledger_balances
        where program_id = ${programId}), 0)::bigint
      + coalesce((select commissions_cents from ledger_heads where program_id = ${programId}), 0) as sum_cents`.execute(ctx.db);
  return rows[0]?.sumCents ?? 0;
}
