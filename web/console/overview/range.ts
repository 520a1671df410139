// The period of the overview, as it is kept in the URL: a preset, or two days. Pure.
import { addDays } from '../../ui/figures/days.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';

export const presets = ['today', '7d', '30d', '90d', 'month', 'year'] as const;
export type Preset = (typeof presets)[number];
export const comparisons = ['previous', 'year', 'none'] as const;
export type Comparison = (typeof comparisons)[number];
export const metrics = ['sales', 'commissions', 'percent', 'affiliates'] as const;
export type MetricName = (typeof metrics)[number];

export type Period = {
  /** `custom`: `from` and `to` are in the URL. */
  range: Preset | 'custom';
  from: string;
  to: string;
  compare: Comparison;
  metric: MetricName;
};

/** What the URL says, for a program whose day is `today`. */
export function readPeriod(raw: RawSearch, today: string): Period {
  const compare = readOne(raw, 'compare', comparisons) ?? 'previous';
  const metric = readOne(raw, 'metric', metrics) ?? 'commissions';
  const [from, to] = [readDay(raw, 'from'), readDay(raw, 'to')];
  if (from && to && from <= to) return { range: 'custom', from, to, compare, metric };
  const range = readOne(raw, 'range', presets) ?? '30d';
  return { range, from: firstDay(range, today), to: today, compare, metric };
}

function readDay(raw: RawSearch, name: string): string | undefined {
  const text = readText(raw, name);
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ? text : undefined;
}

/** The first day of a period that ends today. */
export function firstDay(range: Preset, today: string): string {
  if (range === 'month') return `${today.slice(0, 7)}-01`;
  if (range === 'year') return `${today.slice(0, 4)}-01-01`;
  const days = { today: 1, '7d': 7, '30d': 30, '90d': 90 }[range];
  return addDays(today, 1 - days);
}

/** How many days a period has. */
export function countDays({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
}
