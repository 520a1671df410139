import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';

/** A conversion as other objects show it with `?expand=conversion`. */
export const ConversionReference = z
  .object({ id: uuidOut, orderId: z.string(), affiliateId: uuidOut, amountCents: centsOut, currency: currencyOut })
  .meta({ id: 'ConversionReference' });

type Reference = z.input<typeof ConversionReference>;

/** References to conversions by id, for `?expand=conversion`; one query, or none if nothing is expanded. */
export async function findConversionReferences(
  ctx: Pick<Context, 'db'>,
  programId: string,
  ids: readonly (string | null)[],
): Promise<Map<string | null, Reference>> {
  const present = ids.filter((id) => id !== null);
  if (present.length === 0) return new Map();
  const conversions = ctx.db.selectFrom('conversions').where('programId', '=', programId).where('id', 'in', present);
  const rows = await conversions.select(['id', 'orderId', 'affiliateId', 'amountCents', 'currency']).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
