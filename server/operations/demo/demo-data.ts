// The invented data of the demo program. Email addresses are in reserved domains. The website is one that a browser can
// open, because links redirect to it.

export const program = { name: 'Fern & Field', websiteUrl: 'https://example.com/' };

export const groups = [
  { name: 'Clinicians', description: 'Practitioners who recommend to their patients' },
  { name: 'Creators', description: 'Newsletters, podcasts and channels' },
  { name: 'Friends', description: 'Customers who recommend us to their friends' },
];

/** Name, category, price in cents and, if only one group may promote it, that group. */
export const products: [name: string, category: string, priceCents: number, group?: string][] = [
  ['Evening Calm Tea', 'Teas', 1490],
  ['Morning Clarity Tea', 'Teas', 1490],
  ['Peppermint & Fennel', 'Teas', 1290],
  ['Golden Turmeric Blend', 'Teas', 1690],
  ['Hibiscus Cold Brew', 'Teas', 1390],
  ['Tea Sampler, 12 kinds', 'Teas', 2990],
  ['Magnesium Glycinate 120', 'Supplements', 2490],
  ['Vitamin D3 + K2', 'Supplements', 1990],
  ['Omega-3 from Algae', 'Supplements', 3290],
  ['Daily Greens', 'Supplements', 3890],
  ['Iron Bisglycinate', 'Supplements', 1790],
  ['Probiotic 10 Strains', 'Supplements', 3490],
  ['Practitioner Magnesium 500', 'Practice', 8900, 'Clinicians'],
  ['Practice Starter Kit', 'Practice', 24900, 'Clinicians'],
  ['Clinical Omega, 6 months', 'Practice', 16900, 'Clinicians'],
  ['Creator Bundle', 'Bundles', 7900, 'Creators'],
  ['Sleep Bundle', 'Bundles', 5490],
  ['Focus Bundle', 'Bundles', 5290],
  ['New Parent Box', 'Bundles', 6900],
  ['Stoneware Teapot', 'Home', 4900],
  ['Double-wall Glass, pair', 'Home', 2790],
  ['Linen Sleep Mask', 'Home', 2290],
  ['Cedar Pillow Spray', 'Home', 1890],
  ['Beeswax Candle', 'Home', 1590],
];

/** The countries of customers, weighted by repetition. */
export const customerCountries = ['US', 'US', 'US', 'CA', 'GB', 'DE', 'NL'] as const;

/** Commission rules, with the name of the group or product they apply to. */
export const rules: ({ group?: string; product?: string } & Record<string, unknown>)[] = [
  { name: 'All affiliates', type: 'percentage', rate: 10 },
  { name: 'Clinicians', group: 'Clinicians', type: 'percentage', rate: 15 },
  { name: 'Bundles', category: 'Bundles', type: 'percentage', rate: 6 },
  { name: 'Teapot, per unit', product: 'Stoneware Teapot', type: 'flat', amountCents: 400, per: 'unit' },
  { name: 'Recruiting affiliates', level: 2, type: 'percentage', rate: 2 },
];

export const firstNames = (
  'Ada Amara Anton Aylin Beatriz Ben Carla Chidi Clara Dana Daniel Elena Elif Emil Farah Felix Freya Gabriel Greta Hana ' +
  'Hugo Ines Isla Ivan Jana Jonas Julia Kai Karim Lara Leo Lina Lucas Maja Marco Maria Mateo Mei Mila Nadia Nils Noor ' +
  'Olga Omar Paula Pedro Priya Rafael Rosa Sami Sara Sofia Stefan Tara Theo Tomás Uma Vera Wren Yara Zoë'
).split(' ');

export const lastNames = (
  'Abara Almeida Andersen Bauer Bianchi Brandt Castillo Chen Costa Demir Dubois Eriksen Farkas Fischer García Gruber ' +
  'Haddad Hansen Ivanova Jansen Kaya Keller Kowalski Larsen Lindqvist Lopez Mäkinen Marino Meyer Moreau Müller Nakamura ' +
  "Novak O'Brien Okafor Oliveira Park Patel Petrov Ricci Rossi Sato Schmidt Silva Singh Suzuki Svensson Tanaka Torres " +
  'Varga Vogel Weber Wagner Wong Yilmaz Zhang'
).split(' ');

export const pageTitles = {
  clinical: ['What I recommend to my patients', 'Supplements I trust in practice', 'Sleep, iron, omega: my short list'],
  creator: ['My favourites, honestly', 'What is really in my kitchen', 'Everything from the podcast'],
  minimalist: ['A few good things', 'My shelf', 'Tea, mostly'],
};

export const bios = [
  'I only list what I use at home. If it stops being good, it leaves this page.',
  'Twelve years in practice. Ask your doctor before you change what you take.',
  'I write a letter about slow mornings every Sunday. These are the things that stayed.',
  'Parent of two, tea drinker, terrible sleeper in recovery.',
];
