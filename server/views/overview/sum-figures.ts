// Adds up clicks, conversions, sales and commissions. Pure.
import type { Span } from './range.ts';

export type Figures = { clicks: number; conversions: number; salesCents: number; commissionsCents: number };

/** The sums of all figures. */
export function sumFigures(all: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => all.reduce((total, figures) => total + figures[name], 0);
  return {
    clicks: sum('clicks'),
    conversions: sum('conversions'),
    salesCents: sum('salesCents'),
    commissionsCents: sum('commissionsCents'),
  };
}

/** The sums of the days in a span, which includes its last day. */
export function sumDays(days: readonly (Figures & { day: string })[], { from, to }: Span): Figures {
  return sumFigures(days.filter(({ day }) => day >= from && day <= to));
}
