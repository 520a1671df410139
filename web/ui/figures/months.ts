// The months that a statement can be chosen for. Pure.

const shown = 36;

/** The current month and those before it, the latest first, as `2026-03` with its name. */
export function listMonths(now: Date, language: string): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return Array.from({ length: shown }, (_, index) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1));
    return { value: first.toISOString().slice(0, 7), label: format.format(first) };
  });
}
