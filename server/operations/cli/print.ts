// Terminal output: lines of text, or one JSON value (--json).
import { styleText } from 'node:util';

/** Prints a finished step to standard error: a mark, a label and the result. */
export function step(label: string, text: string, isDone = true): void {
  const mark = isDone ? styleText('green', '✓', { stream: process.stderr }) : styleText('red', '✗', { stream: process.stderr });
  process.stderr.write(`  ${mark} ${label.padEnd(12)}${text}\n`);
}

/** Prints a labelled value to standard output. */
export function fact(label: string, text: string): void {
  process.stdout.write(`  ${styleText('dim', label.padEnd(12))} ${text}\n`);
}

export function say(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function json(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints rows under headings. */
export function table(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  say(styleText('dim', line(headings)));
  for (const row of rows) say(line(row));
}

/** A time in the form 2026-11-21 07:30 UTC. */
export function moment(at: Date | null): string {
  return at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : '-';
}
