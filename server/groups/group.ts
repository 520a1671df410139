// A commission group (tier): what affiliates belong to, and what products can be restricted to.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Groups } from '../db/schema.gen.ts';
import { line, paragraph, timestampOut, uuidOut } from '../http/fields.ts';
import { idSlot } from '../http/id-slot.ts';

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

export const groupSlot = idSlot('groups', 'The id of the group.');

export function toGroup({ id, name, description, createdAt, updatedAt }: Selectable<Groups>): z.input<typeof GroupShape> {
  return { id, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
