type Problem = { line: number; name: string; reason: string };

/** Rejected lines as CSV. A cell that a spreadsheet would run as a formula is quoted as text. */
export function toProblemsCsv(problems: readonly Problem[]): string {
  const rows = problems.map(({ line, name, reason }) => [String(line), name, reason].map(toCell).join(','));
  return `${['line,email,reason', ...rows].join('\r\n')}\r\n`;
}

function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
