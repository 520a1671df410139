// What a screen gives a chart over time.

export type ChartFormat = { kind: 'money'; currency: string } | { kind: 'count' } | { kind: 'percent' };

export type TimePoint = {
  /** A day (`2026-11-21`), or an instant for hours. */
  start: string;
  value: number;
  /** The same bucket of the comparison period. */
  compare?: number | null;
};

export type TimeChartProps = {
  /** What is measured: "Commissions". */
  label: string;
  series: readonly TimePoint[];
  format: ChartFormat;
  bucket: 'hour' | 'day' | 'week' | 'month';
  /** Whether the values can be added up. Balances and distinct affiliates can't: the summary names the last one. */
  hasTotal?: boolean;
  /** "the previous 30 days"; without it no comparison is drawn. */
  comparison?: string;
  /** The last bucket is still being filled. */
  isLastIncomplete?: boolean;
  onPick?: (point: TimePoint) => void;
};
