// Contents of public pages for tests: ordinary ones, and those that break layouts.
import type { Storefront, StorefrontProduct, TemplateName } from '../../../server/promotion/storefronts/storefront.ts';

const names = ['Evening Calm Tea', 'Magnesium Glycinate 120', 'Linen Sleep Mask', 'Sleep Bundle', 'Peppermint & Fennel', 'Daily Greens'];
const notes = [
  'The one I hand to patients who wake at three.',
  'Gentle on the stomach; 200 mg with dinner.',
  'Dark enough for summer evenings.',
  'All three, for the first month.',
  null,
  'Mixed into water before the first coffee. It tastes of grass, and you get used to it.',
];

/** Products of a page, the third of them reduced and the fourth out of stock. */
export function someProducts(count: number): StorefrontProduct[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `01980a4e-9c11-7d20-8b42-${String(index).padStart(12, '0')}`,
    name: `${names[index % names.length]}${index < names.length ? '' : ` ${index}`}`,
    text: notes[index % notes.length] ?? null,
    picture: null,
    priceCents: 1490 + index * 500,
    compareAtPriceCents: index === 2 ? 2990 : null,
    availability: index === 3 ? 'out_of_stock' : 'in_stock',
    url: `/r/K7QM3XWP?url=${encodeURIComponent(`https://shop.example/cart/product-${index}`)}`,
  }));
}

const common = {
  heroFocus: 'center',
  avatar: null,
  hero: null,
  shareImageUrl: 'https://partners.example/s/fern-field/ada/og.png?v=1',
  moreUrl: null,
  url: 'https://partners.example/s/fern-field/ada',
  isPreview: false,
  links: [],
  offer: null,
  coupon: null,
  headline: null,
  bio: null,
  program: {
    name: 'Fern & Field',
    currency: 'USD',
    logo: null,
    disclosure: '{affiliate} earns a commission when you buy through this page. You pay the same price.',
    disclaimer: 'These statements were not evaluated by a health authority. They are no medical advice.',
  },
} as const;

const typical: Record<TemplateName, Pick<Storefront, 'title' | 'affiliateName' | 'accent'> & Partial<Storefront>> = {
  clinical: {
    accent: 'lagoon',
    affiliateName: 'Ada Lindqvist, RD',
    title: 'What I recommend for calmer evenings',
    bio: 'I am a registered dietitian in Malmö. These are the four things I use most with people who sleep badly, and how I use them.',
    offer: '10% off your first order',
    coupon: { code: 'CALM10', discount: '10% off' },
    links: [{ label: 'My practice', url: 'https://ada.example/' }],
  },
  creator: {
    accent: 'clay',
    affiliateName: 'Zoë Martin',
    title: 'Things that survived my suitcase.',
    headline: 'Forty flights a year, two teas, one mask.',
    bio: "I buy these with my own money and say so when I don't.",
    coupon: { code: 'ZOE10', discount: '10% off' },
    links: [
      { label: 'Instagram', url: 'https://zoe.example/1' },
      { label: 'YouTube', url: 'https://zoe.example/2' },
      { label: 'Newsletter', url: 'https://zoe.example/3' },
    ],
  },
  minimalist: {
    accent: 'graphite',
    affiliateName: 'Leo Brandt',
    title: 'A short list,',
    headline: 'kept short.',
    bio: 'I am asked what I take. This is all of it. When I stop using a thing, it goes.',
    coupon: { code: 'LEO10', discount: '10% off' },
    links: [{ label: 'Letters', url: 'https://leo.example/' }],
  },
};

/** A page as affiliates write them. */
export function aStorefront(template: TemplateName, given: Partial<Storefront> = {}): Storefront {
  return { ...common, links: [], template, products: someProducts(4), ...typical[template], ...given };
}
