// When the batches of a schedule are prepared. Pure: days are computed in the time zone of the program, so that a change to or
// from daylight saving time moves no payday.
import { addDays, addMonths, countDays, type LocalDate, localDate, mondayOf, startOfHour } from '../../../platform/lib/zoned-time.ts';

export type PaydayRule = {
  frequency: 'monthly' | 'weekly';
  /** 1–31; in shorter months, the last day. */
  dayOfMonth: number;
  /** 1 (Monday) to 7 (Sunday). */
  dayOfWeek: number;
  /** The local hour, 0–23. */
  hour: number;
  /** Where a payday on a weekend or holiday moves. */
  shift: 'none' | 'before' | 'after';
  holidays: readonly LocalDate[];
  timezone: string;
};

/** `period` is the month (`2026-11`) or ISO week (`2026-W47`) of the day before it was moved. */
export type Payday = { period: string; payOn: LocalDate; startsAt: Date };

/** `after`: earlier paydays don't count. `ran`: the periods for which the schedule has run. */
type State = { now: Date; after: Date; ran: ReadonlySet<string> };

/** How far a payday can move: 100 holidays with the weekends between them. */
const maxShiftDays = 142;

/**
 * The payday that is due, and the next one. Of several that were missed, only the last one is due: its batch pays everything. A
 * payday stays due until its period has run.
 */
export function findPaydays(rule: PaydayRule, { now, after, ran }: State): { due: Payday | null; next: Payday } {
  const today = localDate(now, rule.timezone);
  const days = listNominalDays(rule, today);
  const paydays = days.map((day) => ({ period: toPeriod(day, rule), payOn: moveToWorkday(day, rule) }));
  const hasCome = ({ payOn }: Pick<Payday, 'payOn'>) => payOn < today || (payOn === today && startOfHour(payOn, rule) <= now);
  const last = paydays.findLast(hasCome);
  const due = last && !ran.has(last.period) && startOfHour(last.payOn, rule) > after ? withStart(last, rule) : null;
  const [first] = paydays.filter((one) => !hasCome(one) && !ran.has(one.period)).toSorted((a, b) => (a.payOn < b.payOn ? -1 : 1));
  if (!first) throw new Error('A schedule has no next payday.');
  return { due, next: withStart(first, rule) };
}

const withStart = (payday: Omit<Payday, 'startsAt'>, rule: PaydayRule): Payday => ({
  ...payday,
  startsAt: startOfHour(payday.payOn, rule),
});

/** The days on which the rule pays before they are moved, from the last one that can have come to the next that can't have. */
function listNominalDays({ frequency, dayOfMonth, dayOfWeek }: PaydayRule, today: LocalDate): LocalDate[] {
  const [from, to] = [addDays(today, -maxShiftDays - 31), addDays(today, maxShiftDays + 62)];
  if (frequency === 'weekly') {
    const first = addDays(mondayOf(from), dayOfWeek - 1);
    return Array.from({ length: Math.ceil(countDays(first, to) / 7) }, (_, index) => addDays(first, 7 * index));
  }
  const days: LocalDate[] = [];
  for (let month = `${from.slice(0, 7)}-01`; month <= to; month = addMonths(month.slice(0, 7), 1)) {
    const lastDay = addDays(addMonths(month.slice(0, 7), 1), -1);
    const day = addDays(month, dayOfMonth - 1);
    days.push(day < lastDay ? day : lastDay);
  }
  return days;
}

function toPeriod(day: LocalDate, { frequency }: PaydayRule): string {
  if (frequency === 'monthly') return day.slice(0, 7);
  // An ISO week belongs to the year of its Thursday.
  const thursday = addDays(mondayOf(day), 3);
  const week = 1 + Math.floor(countDays(`${thursday.slice(0, 4)}-01-01`, thursday) / 7);
  return `${thursday.slice(0, 4)}-W${String(week).padStart(2, '0')}`;
}

/** 1 (Monday) to 7 (Sunday). */
const weekdayOf = (day: LocalDate): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

function moveToWorkday(day: LocalDate, { shift, holidays }: PaydayRule): LocalDate {
  if (shift === 'none') return day;
  let moved = day;
  while (weekdayOf(moved) > 5 || holidays.includes(moved)) moved = addDays(moved, shift === 'before' ? -1 : 1);
  return moved;
}
