// The years of tax files, the last complete one first. Pure.

export type YearOption = { value: string; label: string };

/** The last six years, newest first. `now` is a time. */
export function listYears(now: number): YearOption[] {
  const present = new Date(now).getFullYear();
  return Array.from({ length: 6 }, (_, index) => String(present - index)).map((value) => ({ value, label: value }));
}

/** The year that is filed now: the last one. */
export function filedYear(now: number): string {
  return String(new Date(now).getFullYear() - 1);
}
