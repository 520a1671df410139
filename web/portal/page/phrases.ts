/** The restricted phrases that a text contains, as whole words, ignoring case and spacing. */
export function findRestricted(text: string, phrases: readonly string[]): string[] {
  const normalized = text.normalize('NFKC');
  return phrases.filter((phrase) => toPattern(phrase)?.test(normalized) ?? false);
}

/** Letters and digits before or after would make it another word: "cure" is not in "secure". */
function toPattern(phrase: string): RegExp | null {
  const words = phrase
    .normalize('NFKC')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return words.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'iu');
}
