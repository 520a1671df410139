// The restricted phrases of a program in the texts of a page. A phrase is found as whole words, ignoring case and spacing.
import type { Context } from '../../../context.ts';

/** The phrases that the program doesn't allow on landing pages. */
export async function readRestrictedPhrases({ db }: Pick<Context, 'db'>, programId: string): Promise<string[]> {
  const brand = await db.selectFrom('programBrands').select('restrictedPhrases').where('programId', '=', programId).executeTakeFirst();
  return brand?.restrictedPhrases ?? [];
}

/** The texts of a page by field. */
export type PageTexts = Readonly<Record<string, string | null>>;

export type FoundPhrase = { phrase: string; fields: string[] };

/** The phrases that these texts contain, with the fields that contain them. */
export function findPhrases(texts: PageTexts, phrases: readonly string[]): FoundPhrase[] {
  return phrases.flatMap((phrase) => {
    const pattern = toPattern(phrase);
    if (pattern === null) return [];
    const fields = Object.entries(texts).flatMap(([field, text]) => (text !== null && pattern.test(text.normalize('NFKC')) ? [field] : []));
    return fields.length === 0 ? [] : [{ phrase, fields }];
  });
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

type Texts = { pageTitle: string; headline: string | null; bioText: string | null; promoBadgeText: string | null };
type Details = { links: readonly { label: string }[]; productNotes: Readonly<Record<string, string>> };

/** The texts of a revision by field. */
export function toPageTexts({ pageTitle, headline, bioText, promoBadgeText, links, productNotes }: Texts & Details): PageTexts {
  return {
    pageTitle,
    headline,
    bioText,
    promoBadgeText,
    links: links.map(({ label }) => label).join('\n'),
    productNotes: Object.values(productNotes).join('\n'),
  };
}
