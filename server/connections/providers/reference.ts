import { z } from 'zod';
import type { Context } from '../../context.ts';
import { uuidOut } from '../../platform/http/declaration/fields.ts';

/** A provider as other objects show it with `?expand=provider`. */
export const ProviderReference = z.object({ id: uuidOut, type: z.string(), name: z.string() }).meta({ id: 'ProviderReference' });

type Reference = z.input<typeof ProviderReference>;

/** References to providers by id, for `?expand=provider`; one query, or none where nothing is expanded. */
export async function findProviderReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Reference>> {
  if (ids.length === 0) return new Map();
  const providers = ctx.db.selectFrom('providers').select(['id', 'type', 'name']).where('programId', '=', programId);
  const rows = await providers.where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
