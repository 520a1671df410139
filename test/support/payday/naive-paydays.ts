// The paydays of a schedule by looking at every quarter of an hour on a clock of the time zone: slow, and independent of the service.

export type NaiveRule = {
  timezone: string;
  hour: number;
  isNominal(day: string): boolean;
  toPeriod(day: string): string;
  shift: 'none' | 'before' | 'after';
  holidays: readonly string[];
};

/** In the order of the days before they were moved. `startsAt` is in milliseconds. */
export type NaivePayday = { period: string; payOn: string; startsAt: number };

const quarterMs = 15 * 60_000;

export function listNaivePaydays(rule: NaiveRule, fromMs: number, toMs: number): NaivePayday[] {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: rule.timezone, dateStyle: 'short', timeStyle: 'short' });
  const starts = new Map<string, number>();
  const days: string[] = [];
  for (let at = fromMs; at < toMs; at += quarterMs) {
    const [day = '', time = ''] = clock.format(at).split(' ');
    if (days.at(-1) !== day) days.push(day);
    if (!starts.has(day) && Number(time.slice(0, 2)) >= rule.hour) starts.set(day, at);
  }
  return days.filter(rule.isNominal).flatMap((day) => {
    const payOn = move(day, days, rule);
    const startsAt = payOn === undefined ? undefined : starts.get(payOn);
    return payOn === undefined || startsAt === undefined ? [] : [{ period: rule.toPeriod(day), payOn, startsAt }];
  });
}

function move(day: string, days: readonly string[], { shift, holidays }: NaiveRule): string | undefined {
  const isOff = (one: string) => ['Sat', 'Sun'].includes(nameOf(one)) || holidays.includes(one);
  if (shift === 'none') return day;
  return shift === 'before' ? days.findLast((one) => one <= day && !isOff(one)) : days.find((one) => one >= day && !isOff(one));
}

const nameOf = (day: string) => new Date(`${day}T12:00:00Z`).toUTCString().slice(0, 3);

export const isSunday = (day: string) => nameOf(day) === 'Sun';

/** The last day of the month, or the 30th. */
export const isThirtieth = (day: string) => {
  const isLast = new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).getUTCDate() === 1;
  return day.endsWith('-30') || (isLast && Number(day.slice(8)) < 30);
};

/** The ISO week of a Sunday: as many as there were Thursdays in its year until then. */
export function weekOfSunday(day: string): string {
  const thursday = new Date(Date.parse(`${day}T12:00:00Z`) - 3 * 86_400_000);
  let week = 0;
  for (let at = thursday; at.getUTCFullYear() === thursday.getUTCFullYear(); at = new Date(at.getTime() - 7 * 86_400_000)) week += 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
