// The form of a group and the request it becomes. Pure.
import { pickChanges } from '../../states/edit/merge.ts';
import type { Group } from './use-columns.tsx';

export type GroupValues = { name: string; description: string; holdDays: string; minimumPayoutCents: number | null };

export const emptyGroup: GroupValues = { name: '', description: '', holdDays: '', minimumPayoutCents: null };

/** The initial values of the form of an existing group. */
export function toValues({ name, description, holdDays, minimumPayoutCents }: Group): GroupValues {
  return { name, description: description ?? '', holdDays: holdDays === null ? '' : String(holdDays), minimumPayoutCents };
}

/** The group that the form describes; empty terms are the program's. Null if the days are not a whole number. */
export function toBody({ name, description, holdDays, minimumPayoutCents }: GroupValues) {
  const days = holdDays.trim();
  if (!/^\d{0,6}$/.test(days)) return null;
  return { name, description: description.trim() || null, holdDays: days === '' ? null : Number(days), minimumPayoutCents };
}

/** The fields that differ, so that what others changed in the meantime is kept. */
export function toUpdate(saved: GroupValues, values: GroupValues) {
  return pickChanges(toBody(saved) ?? {}, toBody(values) ?? {});
}
