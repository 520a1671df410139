// What people paste into the field for addresses: one per line, separated by commas or semicolons, with or without names,
// copied from a mail program or a spreadsheet. Pure.

export type Person = { email: string; firstName: string; lastName: string };

/** A person in the form. What was typed is corrected here; `source` is what the pasted text says. */
export type Row = Person & { source: string; problem: string | null };

const address = /<?([^\s<>"',;]+@[^\s<>"',;]+)>?/;

/**
 * The people in a text, each address once, with the names that were given or can be guessed from the address. An entry
 * without an address is kept as it is, to be corrected.
 */
export function parseAddresses(text: string): Person[] {
  const people = new Map<string, Person>();
  for (const part of splitEntries(text)) {
    const email = address.exec(part)?.[1];
    if (email === undefined) {
      const entry = part.trim();
      if (/[\p{L}\p{N}]/u.test(entry)) people.set(entry.toLowerCase(), { email: entry, firstName: '', lastName: '' });
      continue;
    }
    if (people.has(email.toLowerCase())) continue;
    const given = part
      .replace(address, ' ')
      .replaceAll(/["'()<>\t]/g, ' ')
      .trim();
    people.set(email.toLowerCase(), { email, ...(given === '' ? guessName(email) : splitName(given)) });
  }
  return [...people.values()];
}

/** Entries end at a line break or semicolon, and at a comma once an address is complete: "Lindqvist, Ada <ada@…>" is one. */
function splitEntries(text: string): string[] {
  return text.split(/[\n\r;]+/).flatMap((line) => {
    const entries: string[] = [];
    let open = '';
    for (const piece of line.split(',')) {
      open = open === '' ? piece : `${open},${piece}`;
      if (!piece.includes('@')) continue;
      entries.push(open);
      open = '';
    }
    if (open !== '') entries.push(open);
    return entries;
  });
}

/** One entry per line, as it would be pasted. */
export function formatAddresses(people: readonly Person[]): string {
  return people
    .map(({ email, firstName, lastName }) => (firstName === '' ? email : `${firstName} ${lastName}`.trim().concat(` <${email}>`)))
    .join('\n');
}

/** "Ada Lindqvist" or "Lindqvist, Ada". */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [last = '', first] = name.split(',').map((part) => part.trim());
  if (first) return { firstName: first, lastName: last };
  const words = last.split(/\s+/);
  return words.length === 1 ? { firstName: last, lastName: '' } : { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}

/** `ada.lindqvist+shop@example.com` becomes Ada Lindqvist; an address that doesn't look like a name stays without one. */
function guessName(email: string): { firstName: string; lastName: string } {
  const local = email.split('@')[0]?.split('+')[0] ?? '';
  const words = local.split(/[._-]+/).filter((word) => /^\p{L}{2,}$/u.test(word));
  if (words.length === 0 || generic.test(local)) return { firstName: '', lastName: '' };
  const [first = '', ...rest] = words.map((word) => word.charAt(0).toLocaleUpperCase() + word.slice(1));
  return { firstName: first, lastName: rest.join(' ') };
}

const generic = /^(info|hello|hi|contact|mail|office|admin|support|sales|team|kontakt|hallo)$/i;
