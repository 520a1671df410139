// The geometry of a chart over time: scales, lines and labels. Pure, so that it is tested without a browser.
import { nice, ticks } from 'd3-array';
import { area, curveMonotoneX, line } from 'd3-shape';

export type Point = { x: number; y: number };

export type TimeShape = {
  points: Point[];
  ticks: { value: number; y: number }[];
  /** The main line up to the last complete bucket. */
  line: string;
  area: string;
  /** From the last complete bucket to the current one; empty when all are complete. */
  openLine: string;
  compareLine: string;
  baseline: number;
};

type Input = {
  values: readonly number[];
  compare: readonly (number | null)[];
  isLastIncomplete: boolean;
  width: number;
  height: number;
  /** Space for labels. */
  left: number;
  bottom: number;
};

const top = 14;
const right = 10;

/** Everything a chart draws, in pixels. The scale always includes zero. */
export function timeShape(input: Input): TimeShape {
  const { values, compare, width, height, left, bottom, isLastIncomplete } = input;
  const known = [...values, ...compare.flatMap((value) => value ?? [])];
  const most = Math.max(0, ...known);
  const [low, high] = nice(Math.min(0, ...known), most === 0 ? 1 : most, 4);
  const scale = (value: number) => height - bottom + ((value - low) / (high - low)) * (top + bottom - height);
  const step = values.length > 1 ? (width - left - right) / (values.length - 1) : 0;
  const xOf = (index: number) => (values.length > 1 ? left + index * step : left + (width - left - right) / 2);
  const points = values.map((value, index) => ({ x: xOf(index), y: scale(value) }));
  const complete = isLastIncomplete && points.length > 1 ? points.slice(0, -1) : points;
  const compared = compare.flatMap((value, index) => (value === null ? [] : [{ x: xOf(index), y: scale(value) }]));
  const draw = line<Point>(
    ({ x }) => x,
    ({ y }) => y,
  ).curve(curveMonotoneX);
  const fill = area<Point>(
    ({ x }) => x,
    scale(0),
    ({ y }) => y,
  ).curve(curveMonotoneX);
  return {
    points,
    ticks: (most === 0 ? [0] : ticks(low, high, 4)).map((value) => ({ value, y: scale(value) })),
    line: draw(complete) ?? '',
    area: fill(complete) ?? '',
    openLine: isLastIncomplete && points.length > 1 ? (draw(points.slice(-2)) ?? '') : '',
    compareLine: draw(compared) ?? '',
    baseline: scale(0),
  };
}

/** The width of a character of a label, and the least distance between the middles of two labels. */
const [characterWidth, labelDistance] = [6.5, 84];

/**
 * Which buckets get a label: evenly spaced, as many as fit, always the last one. The last label ends at its bucket instead of
 * being centred on it, so it needs half of its width more.
 */
export function labelledBuckets(labels: readonly string[], width: number): number[] {
  const count = labels.length;
  if (count === 0) return [];
  const widest = Math.max(...labels.map(({ length }) => length)) * characterWidth;
  const most = Math.max(1, Math.floor(width / Math.max(labelDistance, widest * 1.5 + 12)));
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).reverse();
}

/** The bucket nearest to a position. */
export function nearestBucket(points: readonly Point[], x: number): number | null {
  if (points.length === 0) return null;
  return points.reduce((best, point, index) => (Math.abs(point.x - x) < Math.abs((points[best]?.x ?? 0) - x) ? index : best), 0);
}
