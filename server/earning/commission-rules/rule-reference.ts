import { z } from 'zod';
import type { Context } from '../../context.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';

/** A commission rule as other objects show it with `?expand=rule`. */
export const RuleReference = z.object({ id: uuidOut, name: z.string() }).meta({ id: 'CommissionRuleReference' });

type Reference = z.input<typeof RuleReference>;

/** References to commission rules by id, for `?expand=rule`; one query, or none where nothing is expanded. */
export async function findRuleReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const rules = ctx.db.selectFrom('commissionRules').select(['id', 'name']).where('programId', '=', programId);
  const rows = await rules.where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
