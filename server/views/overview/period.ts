// The period that a view covers, as its callers ask for it.
import { z } from 'zod';
import { dayIn } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { addDays, countDays } from '../../platform/lib/zoned-time.ts';
import type { Span } from './range.ts';

const defaultDays = 30;
const maxDays = 1830;

export const periodQuery = {
  from: dayIn.optional().describe('The first day. Default: 29 days before `to`.'),
  to: dayIn.optional().describe('The last day, which is included. Default: today.'),
  compare: z
    .enum(['previous', 'year', 'none'], { error: 'must be one of: previous, year, none' })
    .default('previous')
    .describe('What `previous…` fields contain: the period before with as many days, the year before, or nothing.'),
  interval: z
    .enum(['day', 'week', 'month'], { error: 'must be one of: day, week, month' })
    .optional()
    .describe('The length of a bucket of `series`. Default: by the length of the period.'),
};

/** The first and the last day, with the defaults filled in. */
export function readSpan(query: { from?: string | undefined; to?: string | undefined }, today: string): Span {
  const to = query.to ?? (query.from !== undefined && query.from > today ? query.from : today);
  const from = query.from ?? addDays(to, 1 - defaultDays);
  if (from > to) throw new Invalid([{ path: ['from'], message: 'must not be after `to`' }]);
  if (countDays(from, to) >= maxDays) throw new Invalid([{ path: ['from'], message: `must be less than ${maxDays} days before \`to\`` }]);
  return { from, to };
}
