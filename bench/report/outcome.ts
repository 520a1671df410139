// What a benchmark found: figures with their spread and what is required of them, and checks that hold or not.
import { median } from '../processes.ts';

export type Figure = {
  name: string;
  /** What the value is: `of …` for a share of a limit, or a unit such as `ms`. */
  unit: string;
  /** The median of the rounds, and their extremes. */
  value: number;
  low: number;
  high: number;
  required: { least: number } | { most: number } | null;
  /** Other medians of the same rounds, such as requests a second. */
  more: Record<string, number>;
};

export type Check = { text: string; isKept: boolean };
export type Outcome = { figures: Figure[]; checks: Check[] };

type Options = { unit: string; required?: Figure['required']; more?: Record<string, number> };

/** The figure of the rounds of one case. */
export function toFigure(name: string, rounds: readonly number[], { unit, required = null, more = {} }: Options): Figure {
  return { name, unit, value: median([...rounds]), low: Math.min(...rounds), high: Math.max(...rounds), required, more };
}

export function isKept({ value, required }: Figure): boolean {
  if (required === null) return true;
  return 'least' in required ? value >= required.least : value < required.most;
}

/** The value that is required; 0 if none is. */
export function readRequired({ required }: Figure): number {
  if (required === null) return 0;
  return 'least' in required ? required.least : required.most;
}

export function describeRequired({ required }: Figure): string {
  if (required === null) return '';
  return 'least' in required ? `≥ ${required.least}` : `< ${required.most}`;
}

/** Prints the figures as a table, with the spread of the rounds, and the checks. True when all are kept. */
export function printOutcome({ figures, checks }: Outcome): boolean {
  console.log('');
  const width = Math.max(34, ...figures.map(({ name }) => name.length + 1));
  for (const figure of figures) {
    const { name, unit, value, low, high, more } = figure;
    const mark = figure.required === null ? '      ' : isKept(figure) ? 'kept  ' : 'MISSED';
    const amount = `${show(value)} ${unit}`.padEnd(30);
    const spread = `${show(low)}–${show(high)}`.padEnd(14);
    const rest = Object.entries(more).map(([label, number]) => `${label} ${show(number)}`);
    console.log(`  ${mark} ${name.padEnd(width)}${amount}${spread}${describeRequired(figure).padEnd(9)}${rest.join(', ')}`);
  }
  for (const check of checks) console.log(`  ${check.isKept ? 'kept  ' : 'MISSED'} ${check.text}`);
  return figures.every(isKept) && checks.every((check) => check.isKept);
}

/** Three digits. */
export function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
