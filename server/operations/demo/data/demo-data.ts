// The invented data of the demo program. Email addresses are in reserved domains. The website is one that a browser can
// open, because links redirect to it.

export const organization = 'Calder Agency';
export const program = { name: 'Fern & Field', websiteUrl: 'https://example.com/' };

/** Members of the organization. The first one is who the printed link signs in. */
export const members = [
  { name: 'Dana Calder', email: 'dana@calder.example', role: 'owner' },
  { name: 'Priya Raman', email: 'priya@calder.example', role: 'admin' },
  { name: 'Tom Ashby', email: 'tom@calder.example', role: 'reviewer' },
  { name: 'Mei Tanaka', email: 'mei@calder.example', role: 'finance' },
  { name: 'Omar Haddad', email: 'omar@calder.example', role: 'developer' },
] as const;

/** A member of this program only: the brand's own staff. */
export const programMember = { name: 'Lucía Fernández', email: 'lucia@fern-and-field.example', role: 'viewer' } as const;

export const groups = [
  { name: 'Clinicians', description: 'Practitioners who recommend to their patients' },
  { name: 'Creators', description: 'Newsletters, podcasts and channels' },
  { name: 'Friends', description: 'Customers who recommend us to their friends' },
];

type Product = {
  name: string;
  category: string;
  priceCents: number /** How often it is bought, relative to the others. */;
  weight: number;
};

export const products: (Product & { /** Only this group may promote it. */ group?: string })[] = [
  { name: 'Evening Calm Tea', category: 'Teas', priceCents: 1490, weight: 14 },
  { name: 'Morning Clarity Tea', category: 'Teas', priceCents: 1490, weight: 9 },
  { name: 'Peppermint & Fennel', category: 'Teas', priceCents: 1290, weight: 5 },
  { name: 'Golden Turmeric Blend', category: 'Teas', priceCents: 1690, weight: 6 },
  { name: 'Hibiscus Cold Brew', category: 'Teas', priceCents: 1390, weight: 4 },
  { name: 'Tea Sampler, 12 kinds', category: 'Teas', priceCents: 2990, weight: 8 },
  { name: 'Magnesium Glycinate 120', category: 'Supplements', priceCents: 2490, weight: 12 },
  { name: 'Vitamin D3 + K2', category: 'Supplements', priceCents: 1990, weight: 9 },
  { name: 'Omega-3 from Algae', category: 'Supplements', priceCents: 3290, weight: 7 },
  { name: 'Daily Greens', category: 'Supplements', priceCents: 3890, weight: 8 },
  { name: 'Iron Bisglycinate', category: 'Supplements', priceCents: 1790, weight: 4 },
  { name: 'Probiotic 10 Strains', category: 'Supplements', priceCents: 3490, weight: 6 },
  { name: 'Practitioner Magnesium 500', category: 'Practice', priceCents: 8900, weight: 9, group: 'Clinicians' },
  { name: 'Practice Starter Kit', category: 'Practice', priceCents: 24_900, weight: 4, group: 'Clinicians' },
  { name: 'Clinical Omega, 6 months', category: 'Practice', priceCents: 16_900, weight: 5, group: 'Clinicians' },
  { name: 'Creator Bundle', category: 'Bundles', priceCents: 7900, weight: 12, group: 'Creators' },
  { name: 'Sleep Bundle', category: 'Bundles', priceCents: 5490, weight: 9 },
  { name: 'Focus Bundle', category: 'Bundles', priceCents: 5290, weight: 6 },
  { name: 'New Parent Box', category: 'Bundles', priceCents: 6900, weight: 4 },
  { name: 'Stoneware Teapot', category: 'Home', priceCents: 4900, weight: 3 },
  { name: 'Double-wall Glass, pair', category: 'Home', priceCents: 2790, weight: 3 },
  { name: 'Linen Sleep Mask', category: 'Home', priceCents: 2290, weight: 4 },
  { name: 'Cedar Pillow Spray', category: 'Home', priceCents: 1890, weight: 5 },
  { name: 'Beeswax Candle', category: 'Home', priceCents: 1590, weight: 3 },
];

/** Commission rules, with the name of the group or product they apply to. */
export const rules: ({ group?: string; product?: string } & Record<string, unknown>)[] = [
  { name: 'All affiliates', type: 'percentage', rate: 10 },
  { name: 'Clinicians', group: 'Clinicians', type: 'percentage', rate: 15 },
  { name: 'Bundles', category: 'Bundles', type: 'percentage', rate: 6 },
  { name: 'Teapot, per unit', product: 'Stoneware Teapot', type: 'flat', amountCents: 400, per: 'unit' },
  { name: 'Recruiting affiliates', level: 2, type: 'percentage', rate: 2 },
];

/** Codes of affiliates, by their rank. The first is on coupon sites. */
export const coupons = ['FERNSAVE', 'SLOWMORNINGS', 'PRACTICE10', 'QUIETHOUR', 'THEGARDENPOD', 'STEEPED'];

export const tags = ['newsletter', 'podcast', 'instagram', 'clinic', 'youtube', 'vip', 'spring launch'];

/** The countries of customers, weighted by repetition. */
export const customerCountries = ['US', 'US', 'US', 'US', 'CA', 'GB', 'GB', 'DE', 'NL', 'JP', 'AU'] as const;

/** Where visitors come from, weighted by repetition. */
export const referrers = [
  ...['instagram.com', 'instagram.com', 'youtube.com', 'youtube.com', 'substack.com', 'substack.com', 'tiktok.com'],
  ...['pinterest.com', 'linktr.ee', 'google.com', 'facebook.com', 'reddit.com', null, null, null],
] as const;

export const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
];

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

/** Pages in review, the oldest first. The second one makes a claim that the program does not allow. */
export const pagesInReview: { hoursAgo: number; isNew: boolean; pageTitle: string; bioText: string }[] = [
  {
    hoursAgo: 71,
    isNew: false,
    pageTitle: 'What I recommend to my patients, autumn edition',
    bioText: 'Dietitian in Rotterdam. New this season: the algae omega that my vegan patients actually keep taking.',
  },
  {
    hoursAgo: 44,
    isNew: true,
    pageTitle: 'Sleep again',
    bioText: 'Evening Calm Tea cured my insomnia in three nights, and it will cure yours, too. Guaranteed, without side effects.',
  },
  {
    hoursAgo: 19,
    isNew: true,
    pageTitle: 'Slow mornings, the short list',
    bioText: 'One pot, two teas, no phone before nine. Everything I show in the newsletter, in one place.',
  },
  {
    hoursAgo: 3,
    isNew: false,
    pageTitle: 'Everything from the podcast, season 4',
    bioText: 'The things we talked about in season 4. I get a share when you order, and you pay the same.',
  },
];
