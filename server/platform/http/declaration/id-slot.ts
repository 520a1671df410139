import type { DB } from '../../db/schema.gen.ts';
import type { Slot } from './endpoint.ts';
import { uuid } from './fields.ts';

/** Tables whose rows have an id and a program. */
type Identified = { [Table in keyof DB]: DB[Table] extends { id: string; programId: string } ? Table : never }[keyof DB];

/** A path parameter that identifies a row of this table, in the program of the API key. */
export function idSlot(table: Identified, meaning: string): Slot {
  return {
    schema: uuid,
    meaning,
    example: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
    async exists(ctx, programId, id) {
      const row = await ctx.db.selectFrom(table).select('id').where('programId', '=', programId).where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },
  };
}
