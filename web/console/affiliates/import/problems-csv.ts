import { toCsv } from '../../../states/csv.ts';

type Problem = { line: number; name: string; reason: string };

/** Rejected lines as CSV. */
export function toProblemsCsv(problems: readonly Problem[]): string {
  return toCsv([['line', 'email', 'reason'], ...problems.map(({ line, name, reason }) => [String(line), name, reason])]);
}
