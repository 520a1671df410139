// Holding or releasing several commissions in the console. A dry run shows how many change and what they add up to; the
// request is rejected when that is no longer what the user saw.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, line, maxCents, uuid } from '../../../platform/http/declaration/fields.ts';
import { Invalid, InvalidState } from '../../../platform/lib/errors.ts';
import { sumOf } from '../../../platform/lib/money.ts';
import { openLedger } from '../../ledger/post.ts';
import { owedCents, selectCommissions } from '../commission.ts';
import { holdManually, isHoldable, releaseManually } from '../hold.ts';

const Effect = z
  .object({
    matched: countOut.describe('The selected commissions.'),
    changed: countOut.describe('How many of them are held or released.'),
    changedCents: centsOut.describe('What is still to be paid for those.'),
    currency: currencyOut,
  })
  .meta({ id: 'CommissionBulkResult', example: { matched: 12, changed: 11, changedCents: 18_250, currency: 'USD' } });

export const changeCommissions = endpoint({
  id: 'commissions.bulk',
  route: 'POST /app/programs/:programId/commissions/bulk',
  scope: 'write',
  requires: 'commissions.write',
  isUserOnly: true,
  tag: 'Commissions in bulk',
  summary: 'Hold or release several commissions',
  description:
    'Commissions that are already in the requested state, or that can’t be held or released, stay as they are. `dryRun` returns ' +
    'the effect without changing anything.',
  body: z
    .object({
      ids: z.array(uuid).min(1).max(200).describe('The commissions.'),
      change: z.enum(['hold', 'release']),
      note: line(500).describe('The reason; visible to the affiliates.').optional(),
      expectedCents: z
        .int('must be an integer amount in cents')
        .min(-maxCents, `must not be below -${maxCents}`)
        .max(maxCents, `must not exceed ${maxCents}`)
        .optional()
        .describe('The `changedCents` that the user saw. Required unless `dryRun`.'),
      dryRun: z.boolean().default(false),
    })
    .meta({
      id: 'CommissionBulk',
      example: { ids: ['01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f'], change: 'hold', note: 'Checking returns', expectedCents: 1250 },
    }),
  statuses: [200],
  result: Effect,
  errors: [
    {
      status: 400,
      code: 'amount_changed',
      when: 'The commissions now add up to another amount than `expectedCents`.',
      facts: z.object({ changedCents: centsOut.describe('The amount that they add up to now.') }),
    },
  ],
  async handle(tx, { actor, body: { ids, change, note, expectedCents, dryRun } }) {
    const { programId } = actor;
    await extendStatementTimeout(tx);
    if (change === 'hold' && note === undefined && !dryRun) throw new Invalid([{ path: ['note'], message: 'is required' }]);
    if (expectedCents === undefined && !dryRun) throw new Invalid([{ path: ['expectedCents'], message: 'is required' }]);
    const { currency } = await openLedger(tx, programId);
    const { matched, changeable, changedCents } = await findChangeable(tx, programId, { ids, change });
    const result = { matched, changed: changeable.length, changedCents, currency };
    if (dryRun) return result;
    if (changedCents !== expectedCents) throw changedAmount(changedCents);
    for (const id of changeable) {
      if (change === 'hold') await holdManually(tx, actor, id, note ?? '');
      else await releaseManually(tx, actor, id, note ?? null);
    }
    return result;
  },
});

function changedAmount(changedCents: number): InvalidState {
  const message = 'The selected commissions have changed in the meantime. Check the new amount and try again.';
  return new InvalidState('amount_changed', message, { changedCents });
}

type Selected = { ids: readonly string[]; change: 'hold' | 'release' };

/** The commissions that the change affects, and what they add up to. Adjustments are held together with their original. */
async function findChangeable(tx: Tx, programId: string, { ids, change }: Selected) {
  const rows = await selectCommissions(tx, programId)
    .where('commission.id', 'in', [...new Set(ids)])
    .execute();
  const isHeldManually = (id: string, holds: readonly { cause: string; causeId: string }[]) =>
    holds.some((hold) => hold.cause === 'manual' && hold.causeId === id);
  const changeable = rows.filter((row) =>
    change === 'hold' ? isHoldable(row) && !row.holds.some(({ cause }) => cause === 'manual') : isHeldManually(row.id, row.holds),
  );
  return { matched: rows.length, changeable: changeable.map(({ id }) => id).sort(), changedCents: sumOf(changeable.map(owedCents)) };
}
