// Terminal output: lines of text, or JSON (--json).
import { styleText } from 'node:util';

/** Prints a completed step to standard error: a mark, a label and the result. */
export function printStep(label: string, text: string, isDone = true): void {
  const mark = isDone ? styleText('green', '✓', { stream: process.stderr }) : styleText('red', '✗', { stream: process.stderr });
  process.stderr.write(`  ${mark} ${label.padEnd(12)}${text}\n`);
}

/** Prints a labelled value to standard output. */
export function printField(label: string, value: string): void {
  process.stdout.write(`  ${styleText('dim', label.padEnd(12))} ${value}\n`);
}

export function printLine(text = ''): void {
  process.stdout.write(`${text}\n`);
}

/** Prints one JSON value on one line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints rows below headings, in aligned columns. */
export function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const toLine = (cells: string[]) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  printLine(styleText('dim', toLine(headings)));
  for (const row of rows) printLine(toLine(row));
}

/** Prints a problem to standard error. */
export function printWarning(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

/** A time in the form 2026-11-21 07:30 UTC. */
export function formatTime(at: Date | null): string {
  return at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : '-';
}

/** "1 key", "2 keys" */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
