// The same bonus for several affiliates in the console, all of them or none.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { cents, centsOut, countOut, currencyOut, line, uuid } from '../../../platform/http/declaration/fields.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { openLedger } from '../../ledger/post.ts';
import { addBonus } from '../adjust.ts';

export const grantBonuses = endpoint({
  id: 'commissions.grantMany',
  route: 'POST /app/programs/:programId/commissions/grant',
  scope: 'write',
  requires: 'commissions.write',
  isUserOnly: true,
  isSensitive: true,
  tag: 'Commissions in bulk',
  summary: 'Grant a bonus to several affiliates',
  description: 'Creates one commission of kind `bonus` for each affiliate. All of them are payable immediately.',
  body: z
    .object({
      affiliateIds: z.array(uuid).min(1).max(200).describe('The affiliates, each once.'),
      amountCents: cents.min(1, 'must be at least 1').describe('The bonus of each affiliate.'),
      note: line(500).describe('The reason; visible to the affiliates.'),
      expectedTotalCents: cents.describe('The sum of all bonuses, as the user saw it.'),
    })
    .meta({
      id: 'BonusBulk',
      example: {
        affiliateIds: ['01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f'],
        amountCents: 5000,
        note: 'Speaker fee',
        expectedTotalCents: 5000,
      },
    }),
  statuses: [201],
  result: z
    .object({ granted: countOut.describe('How many affiliates received it.'), totalCents: centsOut, currency: currencyOut })
    .meta({ id: 'BonusBulkResult', example: { granted: 1, totalCents: 5000, currency: 'USD' } }),
  errors: [
    {
      status: 400,
      code: 'amount_too_large',
      when: 'The balance of an affiliate or of the program would exceed the largest amount that can be stored.',
    },
  ],
  async handle(tx, { actor, body: { affiliateIds, amountCents, note, expectedTotalCents } }) {
    const { programId } = actor;
    await extendStatementTimeout(tx);
    const ids = [...new Set(affiliateIds)].sort();
    const totalCents = ids.length * amountCents;
    const faults = [...(await findUnknown(tx, programId, affiliateIds)), ...checkTotal(totalCents, expectedTotalCents)];
    if (faults.length > 0) throw new Invalid(faults);
    const ledger = await openLedger(tx, programId);
    for (const affiliateId of ids) await addBonus(tx, ledger, actor, { affiliateId, amountCents, note });
    return { granted: ids.length, totalCents, currency: ledger.currency };
  },
});

type Fault = { path: string[]; message: string };

/** A fault for each id that is not an affiliate of the program. */
async function findUnknown(ctx: Pick<Context, 'db'>, programId: string, ids: readonly string[]): Promise<Fault[]> {
  const affiliates = ctx.db.selectFrom('affiliates').select('id').where('programId', '=', programId);
  const known = new Set((await affiliates.where('id', 'in', ids).execute()).map(({ id }) => id));
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: ['affiliateIds', String(index)], message: 'was not found in this program' }],
  );
}

function checkTotal(totalCents: number, expectedTotalCents: number): Fault[] {
  if (totalCents === expectedTotalCents) return [];
  return [{ path: ['expectedTotalCents'], message: `must equal the sum of the bonuses (${totalCents})` }];
}
