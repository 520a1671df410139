// A program: the tenant that every row belongs to, with its settings.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Programs } from '../../platform/db/schema.gen.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { lockPrograms } from './lock-program.ts';
import { SettingChangeShape, type StoredChange, toSettingChanges } from './setting-changes/setting-change.ts';
import { AttributionModel, AttributionPriority, ExchangeRateSource, FlatRefunds, settingFields, TaxForms } from './settings.ts';
import { toVersion, versionExample, versionOut } from './version.ts';

export const programExample = {
  id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
  name: 'Fern & Field',
  slug: 'fern-field',
  mode: 'live' as const,
  currency: 'USD',
  timezone: 'America/New_York',
  websiteUrl: 'https://fernandfield.example/',
  holdDays: 30,
  minimumPayoutCents: 5000,
  payoutApprovalCents: null,
  scheduledPayoutLimitCents: null,
  largeOrderCents: null,
  taxForms: 'off' as const,
  commissionCapPercent: 100,
  flatRefunds: 'pro_rata' as const,
  exchangeRateSource: 'off' as const,
  payoutCurrencies: ['EUR'],
  attributionModel: 'last_click' as const,
  attributionPriority: 'coupon_first' as const,
  attributionWindowDays: 30,
  hijackGuardSeconds: 0,
  remembersCustomers: true,
  allowsPostbacks: true,
  destinationHosts: ['shop.fernandfield.example'],
  imageHosts: ['cdn.fernandfield.example'],
  embedOrigins: ['https://app.fernandfield.example'],
  contactEmail: 'partners@fernandfield.example',
  pendingChanges: [],
  version: versionExample,
  createdAt: '2026-03-02T09:12:44.000Z',
};

/** The fields of a program that the API returns. Key hashes and secrets are not among them. */
export const ProgramShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    slug: z.string(),
    mode: z.enum(['live', 'test']).describe('`test` programs are for development.'),
    currency: currencyOut.describe('ISO 4217. Every amount of the program is in this currency.'),
    timezone: z.string(),
    websiteUrl: z.string().nullable(),
    holdDays: countOut,
    minimumPayoutCents: centsOut,
    payoutApprovalCents: centsOut.nullable(),
    scheduledPayoutLimitCents: centsOut.nullable(),
    largeOrderCents: centsOut.nullable().describe('Members can be notified of orders of at least this amount; null: of none.'),
    taxForms: TaxForms,
    commissionCapPercent: z.number().nullable(),
    flatRefunds: FlatRefunds,
    exchangeRateSource: ExchangeRateSource,
    payoutCurrencies: z.array(z.string()),
    attributionModel: AttributionModel,
    attributionPriority: AttributionPriority,
    attributionWindowDays: countOut,
    hijackGuardSeconds: countOut,
    remembersCustomers: z.boolean(),
    allowsPostbacks: z.boolean(),
    destinationHosts: z.array(z.string()),
    imageHosts: z.array(z.string()),
    embedOrigins: z.array(z.string()),
    contactEmail: z.string().nullable(),
    pendingChanges: z
      .array(SettingChangeShape)
      .describe('Requested changes that are awaiting approval by a second person, or the time when they take effect.'),
    version: versionOut,
    createdAt: timestampOut,
  })
  .meta({ id: 'Program', example: programExample });

/** The version of the settings that can be edited. Pending changes are not part of it. */
export function versionOf(program: Program): string {
  const fields = Object.keys(settingFields) as (keyof typeof settingFields)[];
  return toVersion(fields.map((field) => program[field]));
}

export type Program = Awaited<ReturnType<typeof getProgram>>;

/** The program with this id, with typed settings; `lock` lets other changes of it wait. Throws NotFound. */
export async function getProgram(ctx: Pick<Context, 'db'>, id: string, { lock = false } = {}) {
  if (lock) await lockPrograms(ctx, [id]);
  const row = await ctx.db.selectFrom('programs').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound();
  return toProgram(row);
}

function toProgram(row: Selectable<Programs>) {
  return {
    ...row,
    mode: row.mode === 'live' ? ('live' as const) : ('test' as const),
    commissionCapPercent: row.commissionCapPercent === null ? null : Number(row.commissionCapPercent),
    flatRefunds: FlatRefunds.parse(row.flatRefunds),
    exchangeRateSource: ExchangeRateSource.parse(row.exchangeRateSource),
    taxForms: TaxForms.parse(row.taxForms),
    attributionModel: AttributionModel.parse(row.attributionModel),
    attributionPriority: AttributionPriority.parse(row.attributionPriority),
  };
}

type Described = Selectable<Programs> & { pendingChanges: StoredChange[] };

/** The program as the API returns it. */
export async function readProgramShape(ctx: Pick<Context, 'db'>, id: string): Promise<z.input<typeof ProgramShape>> {
  const { rows } = await plainSql<Described>`
    select program.*, (
      select coalesce(json_agg(json_build_object('id', id, 'field', field, 'value', value, 'requestedBy', requested_by,
        'requestedAt', requested_at, 'effectiveAt', effective_at) order by field), '[]')
      from setting_changes where program_id = ${id}
    ) as pending_changes
    from programs as program where program.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new NotFound();
  const program = toProgram(row);
  return {
    ...program,
    version: versionOf(program),
    createdAt: row.createdAt.toISOString(),
    pendingChanges: await toSettingChanges(ctx, id, row.pendingChanges),
  };
}
