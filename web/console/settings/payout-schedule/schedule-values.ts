// The payout schedule as its form shows it. Pure.
import type { Input, Result } from '../../../api/call.ts';
import { toEntries } from '../form/changed-fields.ts';

export type Schedule = Result<'payoutSchedule.get'>;
export type Update = NonNullable<Input<'payoutSchedule.update'>['body']>;

export const frequencies = ['monthly', 'weekly'] as const;
export const shifts = ['before', 'after', 'none'] as const;
/** 1 (Monday) to 7 (Sunday). */
export const days = ['1', '2', '3', '4', '5', '6', '7'] as const;
export const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`);

/** Numbers are null while their fields are empty; lists have a line per entry. */
export type Values = Pick<Schedule, 'isActive' | 'frequency' | 'shift'> & {
  dayOfMonth: number | null;
  dayOfWeek: (typeof days)[number];
  hour: string;
  holidays: string;
};

export function toValues({ isActive, frequency, shift, dayOfMonth, dayOfWeek, hour, holidays }: Schedule): Values {
  const day = days.find((one) => Number(one) === dayOfWeek) ?? '1';
  return { isActive, frequency, shift, dayOfMonth, dayOfWeek: day, hour: `${hour}`, holidays: holidays.join('\n') };
}

/** An empty number is sent as it is: the server says which fields need one. */
export function toUpdate({ dayOfWeek, hour, holidays, ...values }: Values): Update {
  return { ...values, dayOfWeek: Number(dayOfWeek), hour: Number(hour), holidays: toEntries(holidays) } as Update;
}
