// What the palette offers without asking the server: screens, actions of the current screen, programs.
import type { IconName } from '../../ui/icons.tsx';

export type Entry = {
  id: string;
  group: 'goTo' | 'actions' | 'affiliates' | 'orders' | 'products' | 'coupons' | 'switchTo';
  label: string;
  detail?: string | undefined;
  icon: IconName;
  keys?: string | undefined;
  /** Further words by which it is found. */
  words?: string;
  run: () => void;
};

/** The entries that match every word of the search, those whose label starts with it first. */
export function filterEntries(entries: readonly Entry[], search: string): Entry[] {
  const wanted = normalize(search);
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [...entries];
  const found = entries.filter(({ label, detail = '', words: more = '' }) => {
    const text = normalize(`${label} ${detail} ${more}`);
    return words.every((word) => text.includes(word));
  });
  const rank = ({ label }: Entry) => (normalize(label).startsWith(wanted) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}

/** Without case and accents. */
function normalize(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim();
}
