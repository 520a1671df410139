// The form of automatic moves: what it shows of the settings, and what it sends. Pure.
import type { Input, Result } from '../../../api/call.ts';

export type Group = Result<'groups.list'>['groups'][number];
export type Moves = Result<'groupMoves.get'>;
export type MovesBody = NonNullable<Input<'groupMoves.update'>['body']>;

export const metrics = ['conversions', 'amountCents'] as const;
export type Metric = (typeof metrics)[number];

/** The volume from which affiliates belong to a group, by its id; without one, they are never moved out of it. */
type Volumes = Readonly<Record<string, number | null>>;

/** The volumes of both metrics are kept while the form is open, so that switching loses nothing. */
export type MovesValues = {
  isEnabled: boolean;
  metric: Metric;
  days: number | null;
  conversions: Volumes;
  amountCents: Volumes;
  canMoveDown: boolean;
  keepDays: number | null;
};

export function toValues({ isEnabled, metric, days, canMoveDown, keepDays, steps }: Moves): MovesValues {
  const volumes = Object.fromEntries(steps.map(({ groupId, from }) => [groupId, from]));
  return { isEnabled, metric, days, conversions: {}, amountCents: {}, [metric]: volumes, canMoveDown, keepDays };
}

/** The groups with the lowest saved volume first, then those without one by their names. */
export function byVolume(groups: readonly Group[], { steps }: Moves): Group[] {
  const places = new Map(steps.map(({ groupId }, place) => [groupId, place]));
  const placeOf = ({ id }: Group) => places.get(id) ?? steps.length;
  return groups.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The settings that the form describes. Archived groups lose their step, which had no effect. */
export function toBody(values: MovesValues, groups: readonly Group[]): MovesBody {
  const { isEnabled, metric, days, canMoveDown, keepDays } = values;
  const body: MovesBody = { isEnabled, metric, canMoveDown, steps: toSteps(values, groups) };
  if (days !== null) body.days = days;
  if (keepDays !== null) body.keepDays = keepDays;
  return body;
}

function toSteps(values: MovesValues, groups: readonly Group[]): NonNullable<MovesBody['steps']> {
  const volumes = values[values.metric];
  return groups.flatMap(({ id }) => {
    const from = volumes[id] ?? null;
    return from === null ? [] : [{ groupId: id, from }];
  });
}

/** What keeps these settings from being saved: the first field, and why. Null if nothing does. */
export function findFault(values: MovesValues, groups: readonly Group[]): { field: keyof MovesValues; reason: 'missing' | 'same' } | null {
  const steps = toSteps(values, groups);
  if (values.days === null) return { field: 'days', reason: 'missing' };
  if (new Set(steps.map(({ from }) => from)).size < steps.length) return { field: values.metric, reason: 'same' };
  if (values.isEnabled && steps.length === 0) return { field: values.metric, reason: 'missing' };
  return values.canMoveDown && values.keepDays === null ? { field: 'keepDays', reason: 'missing' } : null;
}
