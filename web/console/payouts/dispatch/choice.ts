// What the user chose in the sheet, and the cutoff that follows from a day. Pure.
import { addDays, dayOf, startOfDay } from '../../../ui/figures/days.ts';
import type { DueRow } from '../due/due-groups.ts';

export type DispatchChoice = {
  /** Affiliates who are left out of this batch, with the reason; '' for none. */
  excepted: ReadonlyMap<string, string>;
  /** Null: the default payout provider. */
  providerId: string | null;
  /** The last day whose matured commissions are paid; null: until now. */
  cutoffDay: string | null;
  note: string;
};

/** The initial choice: affiliates who were left out with a reason are left out again. */
export function firstChoice(due: readonly Pick<DueRow, 'affiliateId' | 'exclusion'>[]): DispatchChoice {
  const excepted = due.flatMap(({ affiliateId, exclusion }) => (exclusion === null ? [] : [[affiliateId, exclusion.note] as const]));
  return { excepted: new Map(excepted), providerId: null, cutoffDay: null, note: '' };
}

/** The end of the day in the program's time zone; undefined for today and later, which the service can't pay in advance. */
export function cutoffOf(day: string | null, timezone: string, now: number): string | undefined {
  return day === null || day >= dayOf(now, timezone) ? undefined : startOfDay(addDays(day, 1), timezone);
}

/** Whether a cutoff is in the future, where nothing has matured. */
export function isTooLate(day: string | null, timezone: string, now: number): boolean {
  return day !== null && day > dayOf(now, timezone);
}

/** The affiliates to leave out, as the API takes them: with a reason, and without one. */
export function toExceptions(excepted: DispatchChoice['excepted']) {
  const exclusions = [...excepted].flatMap(([affiliateId, text]) => (text.trim() === '' ? [] : [{ affiliateId, note: text.trim() }]));
  const others = [...excepted.keys()].filter((id) => excepted.get(id)?.trim() === '');
  return {
    exclusions: exclusions.length === 0 ? undefined : exclusions,
    exceptAffiliateIds: others.length === 0 ? undefined : others,
  };
}
