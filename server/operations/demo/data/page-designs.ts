// What distinguishes the pages of the demo: colors, headlines, links and notes on products, by template.

/** What the program's pages have in common. One page in review contains two of the restricted phrases. */
export const brand = {
  color: '#0B5F59',
  disclaimer: 'Food supplements do not replace a varied diet. Ask your doctor if you take medication.',
  restrictedPhrases: ['cure', 'cured', 'without side effects', 'clinically proven', 'FDA-approved'],
};

type Design = { accents: readonly string[]; headlines: readonly string[]; links: readonly { label: string; url: string }[] };

export const designs = {
  clinical: {
    accents: ['lagoon', 'ink', 'moss'],
    headlines: ['For people who sleep badly, and how I use it.', 'What the evidence supports, at doses that work.'],
    links: [
      { label: 'My practice', url: 'https://practice.example/' },
      { label: 'Make an appointment', url: 'https://practice.example/appointments' },
    ],
  },
  creator: {
    accents: ['clay', 'plum', 'ink'],
    headlines: ['Two teas, one pot, no phone before nine.', 'Everything you asked about, in one place.'],
    links: [
      { label: 'Instagram', url: 'https://social.example/instagram' },
      { label: 'YouTube', url: 'https://social.example/youtube' },
      { label: 'Newsletter', url: 'https://letters.example/' },
    ],
  },
  minimalist: {
    accents: ['graphite', 'moss', 'clay'],
    headlines: ['Kept short.', 'One shelf, no clutter.'],
    links: [{ label: 'Letters', url: 'https://letters.example/' }],
  },
} as const satisfies Record<string, Design>;

/** Why affiliates recommend a product, by its name. */
export const notes: Record<string, string> = {
  'Evening Calm Tea': 'The one I hand to people who wake at three.',
  'Morning Clarity Tea': 'Replaces my second coffee, and I do not miss it.',
  'Golden Turmeric Blend': 'With oat milk and too much pepper.',
  'Tea Sampler, 12 kinds': 'Start here if you cannot decide.',
  'Magnesium Glycinate 120': 'Gentle on the stomach; 200 mg with dinner.',
  'Vitamin D3 + K2': 'From October to April, with breakfast.',
  'Omega-3 from Algae': 'The only one my vegan friends keep taking.',
  'Daily Greens': 'Tastes of grass. You get used to it.',
  'Practitioner Magnesium 500': 'The size we use in the practice.',
  'Sleep Bundle': 'All three, for the first month.',
  'Creator Bundle': 'What is on the desk in every video.',
  'Stoneware Teapot': 'Keeps a pot warm through one long call.',
  'Linen Sleep Mask': 'Dark enough for summer evenings.',
  'Cedar Pillow Spray': 'One spray. Two are a forest.',
};
