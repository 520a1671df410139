// What the terminal shows: calm lines for people, or one JSON value for programs (--json).
import { styleText } from 'node:util';

/** A finished step: two spaces, a mark, a label, what came of it. Goes to standard error. */
export function step(label: string, text: string, isDone = true): void {
  const mark = isDone ? styleText('green', '✓', { stream: process.stderr }) : styleText('red', '✗', { stream: process.stderr });
  process.stderr.write(`  ${mark} ${label.padEnd(12)}${text}\n`);
}

/** A named fact of a result, on standard output. */
export function fact(label: string, text: string): void {
  process.stdout.write(`  ${styleText('dim', label.padEnd(12))} ${text}\n`);
}

export function say(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function json(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Rows under headings, as wide as their widest cell. */
export function table(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  say(styleText('dim', line(headings)));
  for (const row of rows) say(line(row));
}

/** A time as people read it: 2026-11-21 07:30 UTC. */
export function moment(at: Date | null): string {
  return at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : '-';
}
