/** "Ada Lindqvist" becomes "AL"; an email address its first letter. */
export function initialsOf(name: string): string {
  const parts = name.includes('@') ? [name] : name.split(/[\s-]+/).filter((part) => /\p{L}/u.test(part));
  const chosen = parts.length > 1 ? [parts[0], parts.at(-1)] : parts.slice(0, 1);
  const letters = chosen.map((part) => /\p{L}/u.exec(part ?? '')?.[0] ?? '').join('');
  return letters === '' ? '?' : letters.toLocaleUpperCase();
}

/** One of five backgrounds, the same for a name on every screen. */
export function hueOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % 5;
}
