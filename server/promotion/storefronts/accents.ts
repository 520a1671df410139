// The colors that an affiliate can choose. In the light scheme white on them has a contrast of at least 6; in the dark
// scheme they have at least 7.9 on every background, whose color is then the color of text on them.
import type { PageDetails } from '../landing-pages/content.ts';

export const accents: Record<PageDetails['accent'], { light: string; dark: string }> = {
  lagoon: { light: '#0B5F59', dark: '#6CCBBF' },
  ink: { light: '#1F3A6E', dark: '#9DB8F0' },
  plum: { light: '#6B3A78', dark: '#D3A6E0' },
  clay: { light: '#A93F22', dark: '#F2966F' },
  moss: { light: '#4A661A', dark: '#B4CF7E' },
  graphite: { light: '#2B2F33', dark: '#C9D1D6' },
};
