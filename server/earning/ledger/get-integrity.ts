import { sql } from 'kysely';
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, timestampOut } from '../../platform/http/declaration/fields.ts';
import { checkChain } from './integrity.ts';

export const getIntegrity = endpoint({
  id: 'ledger.integrity',
  route: 'GET /v1/programs/:programId/ledger/integrity',
  scope: 'read',
  tag: 'Ledger',
  summary: 'Verify ledger integrity',
  description:
    'Makes every hash of the chain again from the entries, compares the end with the head that was kept, and adds up all accounts: they come to 0. ' +
    'Keep `head` somewhere else; a ledger that was cut or rewritten can never show it again.',
  statuses: [200],
  heavy: true,
  result: z
    .object({
      isWhole: z.boolean(),
      entries: countOut,
      head: z.string().describe('Hash of the last entry, in hex.'),
      sumCents: centsOut.describe('All accounts together: 0.'),
      faults: z.array(z.object({ seq: countOut, fault: z.enum(['hash', 'gap', 'head', 'sum']) })),
      checkedAt: timestampOut,
    })
    .meta({ id: 'LedgerIntegrity' }),
  async handle(ctx, { actor }) {
    const { programId } = actor;
    const { entries, head, faults } = await checkChain(ctx.db, programId);
    const { rows } = await sql<{ sumCents: number }>`
      select coalesce((select sum(pending_cents + available_cents + in_transit_cents + paid_cents) from ledger_balances
          where program_id = ${programId}), 0)::bigint
        + coalesce((select commissions_cents + written_off_cents from ledger_heads where program_id = ${programId}), 0) as sum_cents`.execute(
      ctx.db,
    );
    const sumCents = rows[0]?.sumCents ?? 0;
    const found = faults.map(({ seq, fault }) => ({ seq, fault }));
    const all = sumCents === 0 ? found : [...found, { seq: entries, fault: 'sum' as const }];
    return { isWhole: all.length === 0, entries, head, sumCents, faults: all, checkedAt: ctx.clock.now().toISOString() };
  },
});
