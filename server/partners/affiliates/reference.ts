import { z } from 'zod';
import type { Context } from '../../context.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';

/** An affiliate as other objects show it with `?expand=affiliate`. */
export const AffiliateReference = z
  .object({ id: uuidOut, name: z.string(), email: z.string(), referralCode: z.string() })
  .meta({ id: 'AffiliateReference' });

type Reference = z.input<typeof AffiliateReference>;

/** References to affiliates by id, for `?expand=affiliate`; one query, or none where nothing is expanded. */
export async function findAffiliateReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const affiliates = ctx.db.selectFrom('affiliates').where('programId', '=', programId).where('id', 'in', ids);
  const rows = await affiliates.select(['id', 'firstName', 'lastName', 'email', 'referralCode']).execute();
  return new Map(rows.map(({ firstName, lastName, ...row }) => [row.id, { ...row, name: `${firstName} ${lastName}` }]));
}
