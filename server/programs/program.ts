// A program: the brand's tenant.
import { z } from 'zod';
import type { Context } from '../context.ts';
import { NotFound } from '../lib/errors.ts';

/** A program as its key holders see it. */
export const ProgramShape = z
  .object({
    id: z.string().meta({ json: { type: 'string', format: 'uuid' } }),
    name: z.string(),
    slug: z.string(),
    mode: z.enum(['live', 'test']).describe('`test` programs are for trying things out.'),
    currency: z.string().describe('ISO 4217; every amount of the program is in it.'),
    timezone: z.string(),
    websiteUrl: z.string().nullable(),
    createdAt: z.string().meta({ json: { type: 'string', format: 'date-time' } }),
  })
  .meta({ id: 'Program' });

/** The program with this id. Throws NotFound. */
export async function getProgram(ctx: Pick<Context, 'db'>, id: string) {
  const program = await ctx.db.selectFrom('programs').selectAll().where('id', '=', id).executeTakeFirst();
  if (!program) throw new NotFound();
  return program;
}
