// A commission group (tier): what affiliates belong to, and what products can be restricted to.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Groups } from '../db/schema.gen.ts';
import type { Slot } from '../http/endpoint.ts';
import { line, paragraph, timestampOut, uuid, uuidOut } from '../http/fields.ts';

export const GroupShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    description: z.string().nullable(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Group' });

export const groupFields = {
  name: line(100).describe('Unique in the program, without regard to case.'),
  description: paragraph(1000).nullable().optional(),
};

export const groupSlot: Slot = {
  schema: uuid,
  meaning: 'The id of the group.',
  example: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
  async exists(ctx, programId, id) {
    const row = await ctx.db.selectFrom('groups').select('id').where('programId', '=', programId).where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  },
};

/** The form in which names are compared. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export function toGroup({ id, name, description, createdAt, updatedAt }: Selectable<Groups>): z.input<typeof GroupShape> {
  return { id, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
