// Subjects and sender names: one line, without characters that could start another header or reorder the text around them.

const maxCharacters = 200;
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** A subject of at most 200 characters, never cut inside one. */
export function toSubject(text: string): string {
  const clean = toHeaderText(text);
  const characters = Array.from(clean);
  return characters.length <= maxCharacters
    ? clean
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}…`;
}

/** Text for a header: control and format characters become spaces. */
export function toHeaderText(text: string): string {
  return text.toWellFormed().replace(unsafe, ' ').replace(/\s+/g, ' ').trim();
}
