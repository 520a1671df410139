// How affiliates move between groups by their volume. A program without a row has the defaults, switched off.
import { z } from 'zod';
import { toVersion, versionExample, versionOut } from '../../../accounts/programs/version.ts';
import type { Context } from '../../../context.ts';
import { countOut, currencyOut, maxCents, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid, NotFound } from '../../../platform/lib/errors.ts';

export const GroupMoveMetric = z.enum(['conversions', 'amountCents']).meta({ id: 'GroupMoveMetric' });

const maxSteps = 50;
const maxDays = 366;

function numberFrom(min: number, max: number) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z.int(range).min(min, range).max(max, range);
}

const isEnabled = z.boolean().describe('Whether affiliates are moved once a day.');
const metric = GroupMoveMetric.describe(
  "What counts: the affiliate's orders, without those refunded in full, or the amount of their orders less refunds.",
);
const days = "The days before today that count, in the program's time zone.";
const canMoveDown = z.boolean().describe('Whether affiliates whose volume falls move to a lower group, or to none below the lowest.');
const keepDays = 'How many days affiliates keep a group that they reached, even if their volume falls.';
const from = 'The volume from which an affiliate belongs to the group: orders, or cents.';
const steps = 'The groups and their volumes. Affiliates in other groups are never moved.';

const Settings = z.object({
  isEnabled,
  metric,
  days: numberFrom(1, maxDays).describe(days),
  canMoveDown,
  keepDays: numberFrom(0, maxDays).describe(keepDays),
  steps: z
    .array(z.object({ groupId: uuid, from: numberFrom(0, maxCents).describe(from) }).meta({ id: 'GroupMoveStep' }))
    .max(maxSteps)
    .describe(steps),
});

/** The settings, the lowest step first. */
export type GroupMoves = z.output<typeof Settings>;

export const GroupMovesChange = Settings.partial().meta({
  id: 'GroupMovesUpdate',
  example: {
    isEnabled: true,
    metric: 'conversions',
    days: 90,
    canMoveDown: true,
    keepDays: 30,
    steps: [{ groupId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', from: 50 }],
  },
});
type Change = z.output<typeof GroupMovesChange>;

export const groupNotFound = {
  status: 404,
  code: 'not_found',
  when: 'A `groupId` was not found in this program, or is archived.',
} as const;

export const GroupMovesShape = z
  .object({
    isEnabled,
    metric,
    days: countOut.describe(days),
    canMoveDown,
    keepDays: countOut.describe(keepDays),
    steps: z.array(z.object({ groupId: uuidOut, from: countOut.describe(from) })).describe(`${steps} The lowest volume comes first.`),
    currency: currencyOut,
    timezone: z.string().describe('The time zone of the program.'),
    lastRunAt: timestampOut.nullable().describe('When affiliates were last moved; null if they never were.'),
    version: versionOut,
  })
  .meta({
    id: 'GroupMoves',
    example: {
      isEnabled: true,
      metric: 'conversions',
      days: 90,
      canMoveDown: true,
      keepDays: 30,
      steps: [{ groupId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', from: 50 }],
      currency: 'USD',
      timezone: 'America/New_York',
      lastRunAt: '2026-11-02T05:07:00.000Z',
      version: versionExample,
    },
  });

export const defaults: GroupMoves = { isEnabled: false, metric: 'conversions', days: 90, canMoveDown: false, keepDays: 30, steps: [] };

/** `doneOn`: the last day, in the program's time zone, on which all affiliates were moved; null after a change. */
export type StoredMoves = { settings: GroupMoves; doneOn: string | null; lastRunAt: Date | null };

/** The settings of a program, and when they were last applied. */
export async function readGroupMoves({ db }: Pick<Context, 'db'>, programId: string): Promise<StoredMoves> {
  const [row, stepRows] = await Promise.all([
    db
      .selectFrom('groupMoves')
      .select(['isEnabled', 'metric', 'days', 'canMoveDown', 'keepDays', 'lastRunAt'])
      .select((moves) => moves.cast<string | null>('doneOn', 'text').as('doneOn'))
      .where('programId', '=', programId)
      .executeTakeFirst(),
    db
      .selectFrom('groupMoveSteps')
      .select(['groupId', 'reachedFrom as from'])
      .where('programId', '=', programId)
      .orderBy('reachedFrom')
      .execute(),
  ]);
  if (!row) return { settings: defaults, doneOn: null, lastRunAt: null };
  const { doneOn, lastRunAt, ...settings } = row;
  return { settings: { ...settings, metric: GroupMoveMetric.parse(row.metric), steps: stepRows }, doneOn, lastRunAt };
}

type Program = { currency: string; timezone: string };

export function toGroupMoves(
  settings: GroupMoves,
  { currency, timezone, lastRunAt }: Program & { lastRunAt: Date | null },
): z.input<typeof GroupMovesShape> {
  return { ...settings, currency, timezone, lastRunAt: lastRunAt?.toISOString() ?? null, version: versionOf(settings) };
}

/** The version of the fields that can be edited. */
export function versionOf(moves: GroupMoves): string {
  const groups = moves.steps.map(({ groupId, from: volume }) => [groupId, volume]);
  return toVersion([moves.isEnabled, moves.metric, moves.days, moves.canMoveDown, moves.keepDays, groups]);
}

/** The settings after a change. Throws if they contradict each other, and for groups that are unknown or archived. */
export async function applyChange(
  ctx: Pick<Context, 'db'>,
  { programId, stored }: { programId: string; stored: GroupMoves },
  change: Change,
): Promise<GroupMoves> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const next = Settings.parse({ ...stored, ...given });
  rejectContradictions(next);
  if (change.steps) await requireGroups(ctx, programId, change.steps);
  return { ...next, steps: next.steps.toSorted((a, b) => a.from - b.from) };
}

function rejectContradictions({ isEnabled: enabled, steps: all }: GroupMoves): void {
  const distinct = (values: readonly unknown[]) => new Set(values).size;
  const fail = (message: string) => new Invalid([{ path: ['steps'], message }]);
  if (distinct(all.map(({ groupId }) => groupId)) < all.length) throw fail('must not have the same `groupId` twice');
  if (distinct(all.map((step) => step.from)) < all.length) throw fail('must not have the same `from` twice');
  if (enabled && all.length === 0) throw fail('must not be empty');
}

/** Groups are added only while they are active; one that is archived later keeps its step, which has no effect. */
async function requireGroups({ db }: Pick<Context, 'db'>, programId: string, all: GroupMoves['steps']): Promise<void> {
  if (all.length === 0) return;
  const ids = all.map(({ groupId }) => groupId);
  const groups = db.selectFrom('groups').select('id').where('programId', '=', programId).where('status', '=', 'active');
  const found = await groups.where('id', 'in', ids).execute();
  if (found.length < all.length) throw new NotFound('groupId');
}
