// Searching the documentation: by sections that contain every word, those with the words in their headline first.
import type { Guide, Section } from './guide.ts';

export type Found = { slug: string; guide: string; section: Section; excerpt: string };

const mostResults = 20;
const excerptLength = 180;

export function searchGuides(guides: readonly Guide[], query: string): Found[] {
  const words =
    query
      .toLowerCase()
      .match(/[\p{L}\p{N}_.-]+/gu)
      ?.slice(0, 10) ?? [];
  if (words.length === 0) return [];
  const found = guides.flatMap((guide) =>
    guide.sections.flatMap((section) => {
      const rank = rankOf(section, guide.title, words);
      return rank === 0 ? [] : [{ slug: guide.slug, guide: guide.title, section, excerpt: excerptOf(section.text, words), rank }];
    }),
  );
  return found.sort((a, b) => b.rank - a.rank).slice(0, mostResults);
}

/** 0 if a word is missing; a word counts most in the headline of the section. */
function rankOf({ title, text }: Section, guide: string, words: readonly string[]): number {
  const [headline, content, name] = [title.toLowerCase(), text.toLowerCase(), guide.toLowerCase()];
  const ranks = words.map((word) => (headline.includes(word) ? 4 : 0) + (name.includes(word) ? 2 : 0) + (content.includes(word) ? 1 : 0));
  return ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0);
}

/** The text around the first word, from the beginning of a word to the end of one. */
function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const places = words.map((word) => plain.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const place = Math.min(...(places.length > 0 ? places : [0]));
  const start = place < 40 ? 0 : plain.lastIndexOf(' ', place - 40) + 1;
  const end = start + excerptLength;
  const shown = end < plain.length ? plain.slice(start, end).replace(/ \S*$/, ' …') : plain.slice(start);
  return `${start > 0 ? '… ' : ''}${shown}`;
}
