// A program: the brand's tenant, with what it decided for all of its affiliates.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { centsOut, countOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { listSettingChanges, SettingChangeShape } from './setting-changes/setting-change.ts';
import { AttributionModel, AttributionPriority, FlatRefunds, TaxForms } from './settings.ts';

/** A program as its key holders see it. Keys and secrets have no field here, so they can't leave. */
export const ProgramShape = z
  .object({
    id: z.string().meta({ json: { type: 'string', format: 'uuid' } }),
    name: z.string(),
    slug: z.string(),
    mode: z.enum(['live', 'test']).describe('`test` programs are for trying things out.'),
    currency: z.string().describe('ISO 4217; every amount of the program is in it.'),
    timezone: z.string(),
    websiteUrl: z.string().nullable(),
    holdDays: countOut,
    minimumPayoutCents: centsOut,
    payoutApprovalCents: centsOut.nullable(),
    taxForms: TaxForms,
    commissionCapPercent: z.number().nullable(),
    flatRefunds: FlatRefunds,
    attributionModel: AttributionModel,
    attributionPriority: AttributionPriority,
    attributionWindowDays: countOut,
    hijackGuardSeconds: countOut,
    remembersCustomers: z.boolean(),
    destinationHosts: z.array(z.string()),
    contactEmail: z.string().nullable(),
    pendingChanges: z
      .array(SettingChangeShape)
      .describe('Requested changes that wait for the approval of a second API key, or for their time.'),
    createdAt: z.string().meta({ json: { type: 'string', format: 'date-time' } }),
  })
  .meta({ id: 'Program' });

export type Program = Awaited<ReturnType<typeof getProgram>>;

/** The program with this id, its settings typed: enums as such, the cap as a number. Throws NotFound. */
export async function getProgram(ctx: Pick<Context, 'db'>, id: string, { lock = false } = {}) {
  const program = ctx.db.selectFrom('programs').selectAll().where('id', '=', id);
  const row = await (lock ? program.forNoKeyUpdate() : program).executeTakeFirst();
  if (!row) throw new NotFound();
  return {
    ...row,
    mode: row.mode === 'live' ? ('live' as const) : ('test' as const),
    commissionCapPercent: row.commissionCapPercent === null ? null : Number(row.commissionCapPercent),
    flatRefunds: FlatRefunds.parse(row.flatRefunds),
    taxForms: TaxForms.parse(row.taxForms),
    attributionModel: AttributionModel.parse(row.attributionModel),
    attributionPriority: AttributionPriority.parse(row.attributionPriority),
  };
}

/** The program as the API shows it. */
export async function readProgramShape(ctx: Pick<Context, 'db'>, id: string): Promise<z.input<typeof ProgramShape>> {
  const program = await getProgram(ctx, id);
  return { ...program, createdAt: program.createdAt.toISOString(), pendingChanges: await listSettingChanges(ctx, id) };
}
