// One picture per product of the demo, under the handle of its name.
import { capsule, chamomile, citrus, fern, hibiscus, leaf, mint, pearl, turmeric } from './botanicals.ts';
import { candle, carafe, glass, mask, spray, teapot } from './home.ts';
import { place, stillLife } from './scene.ts';
import { bottle, box, openBox, pouch, tin } from './vessels.ts';

const grams = 'LOOSE LEAF · 80 G';
const supplement = (title: readonly string[], detail: string, band: string, options = {}) => bottle({ title, detail, band }, options);

const calmTea = tin({ title: ['Evening', 'Calm'], detail: grams, band: '#8f86b5' }, { body: '#4d4a6d', lid: '#c9b489' });
const clarityTea = tin({ title: ['Morning', 'Clarity'], detail: grams, band: '#e0a01f' }, { body: '#b5762a', lid: '#efe3c4' });
const magnesium = supplement(['Magnesium', 'Glycinate'], '120 CAPSULES', '#6f93a8');
const vitamin = supplement(['Vitamin', 'D3 + K2'], '60 CAPSULES', '#e8b23a');
const greens = pouch({ title: ['Daily', 'Greens'], detail: '30 SERVINGS' });
const maskThing = mask();
const sprayThing = spray({ title: ['Cedar'], detail: 'PILLOW SPRAY' });

const teas = {
  'evening-calm-tea': stillLife(
    'dusk',
    `${place(270, 690, calmTea, 1.12)}${place(590, 716, chamomile(46))}${place(668, 690, chamomile(30))}${place(218, 742, chamomile(38))}`,
  ),
  'morning-clarity-tea': stillLife(
    'sand',
    `${place(270, 690, clarityTea, 1.12)}${place(612, 720, citrus(58))}${place(196, 730, leaf(110, '#5f7f3f'), 1, -18)}`,
  ),
  'peppermint-fennel': stillLife(
    'sage',
    `${place(270, 690, tin({ title: ['Peppermint', '&amp; Fennel'], detail: grams, band: '#6fa77b' }, { body: '#3f7458', lid: '#e3dcc4' }), 1.12)}${place(610, 722, mint(84))}${place(210, 738, mint(60))}`,
  ),
  'golden-turmeric-blend': stillLife(
    'clay',
    `${place(270, 690, tin({ title: ['Golden', 'Turmeric'], detail: grams, band: '#d98a1c' }, { body: '#d9922b', lid: '#7b4a1e' }), 1.12)}${place(556, 726, turmeric(120))}${place(150, 742, turmeric(70))}`,
  ),
  'hibiscus-cold-brew': stillLife(
    'rose',
    `${place(300, 700, carafe(), 1.18)}${place(592, 716, hibiscus(76))}${place(206, 736, hibiscus(48))}`,
  ),
  'tea-sampler-12-kinds': stillLife('cream', `${place(170, 716, sampler(), 1)}`),
};

/** An open box with twelve sachets. */
function sampler(): string {
  const colors = [
    '#4d4a6d',
    '#b5762a',
    '#3f7458',
    '#d9922b',
    '#b8263f',
    '#6f93a8',
    '#8a4b5d',
    '#5f7f3f',
    '#c9a06a',
    '#2f5d50',
    '#a35f3f',
    '#7a8f86',
  ];
  const sachets = colors.map((color, index) => {
    const [x, y] = [24 + (index % 6) * 71, -372 + Math.floor(index / 6) * 92];
    return `<g transform="translate(${x} ${y})"><rect width="62" height="190" rx="5" fill="${color}"/><rect width="62" height="190" rx="5" fill="url(#round)" opacity=".6"/><rect x="11" y="20" width="40" height="44" rx="4" fill="#faf6ea"/><g transform="translate(31 55)">${fern(34, color, 5)}</g></g>`;
  });
  return openBox({ title: ['Tea Sampler'], detail: 'TWELVE KINDS', ink: '#faf6ea', seal: '#2f5d50' }, sachets.join(''), {
    width: 460,
    height: 190,
    color: '#2f5d50',
    size: 36,
  });
}

const spread = (draw: (turn: number) => string) =>
  `${place(560, 726, draw(-24))}${place(640, 700, draw(18))}${place(622, 752, draw(60))}${place(214, 740, draw(-40))}`;

const supplements = {
  'magnesium-glycinate-120': stillLife('mist', `${place(288, 690, magnesium, 1.2)}${spread((turn) => capsule('#8fb0c2', turn))}`),
  'vitamin-d3-k2': stillLife('sand', `${place(288, 690, vitamin, 1.2)}${spread((turn) => pearl('#e9b53c', turn))}`),
  'omega-3-from-algae': stillLife(
    'sage',
    `${place(288, 690, supplement(['Omega-3', 'from Algae'], '60 SOFTGELS', '#7d9a4b', { glass: '#2f5d50' }), 1.2)}${spread((turn) => pearl('#c9a32c', turn))}`,
  ),
  'daily-greens': stillLife(
    'cream',
    `${place(250, 696, greens, 1.12)}${place(596, 724, leaf(120, '#4a8a56'), 1, -30)}${place(604, 740, leaf(110, '#69ac70'), 1, 8)}${powder()}`,
  ),
  'iron-bisglycinate': stillLife(
    'rose',
    `${place(288, 690, supplement(['Iron', 'Bisglycinate'], '90 CAPSULES', '#a5483f'), 1.2)}${spread((turn) => capsule('#a5483f', turn))}`,
  ),
  'probiotic-10-strains': stillLife(
    'dusk',
    `${place(288, 690, supplement(['Probiotic', 'Ten'], '30 CAPSULES', '#8f86b5', { glass: '#f4efe2', cap: '#4d4a6d' }), 1.2)}${spread((turn) => capsule('#b7aed8', turn))}`,
  ),
};

function powder(): string {
  return place(
    196,
    742,
    `<ellipse cx="0" cy="8" rx="66" ry="14" fill="#2a1f10" opacity=".25" filter="url(#soft)"/><path d="M-62 6Q-30 -44 4 -40Q36 -38 62 6Q0 22 -62 6z" fill="#6f8f3f"/><path d="M-62 6Q-30 -44 4 -40Q-8 -12 -62 6z" fill="#fff" opacity=".18"/>`,
  );
}

const practice = {
  'practitioner-magnesium-500': stillLife(
    'mist',
    `${place(256, 700, supplement(['Magnesium', '500'], 'PRACTICE SIZE', '#0b5f59', { width: 250, height: 420, glass: '#f4f1e8', cap: '#0b5f59' }), 1.05)}${place(620, 736, capsule('#8fb0c2', -24))}${place(676, 716, capsule('#8fb0c2', 30))}`,
  ),
  'practice-starter-kit': stillLife(
    'cream',
    place(
      150,
      720,
      openBox(
        { title: ['Practice Starter Kit'], detail: 'FOR CLINICIANS', ink: '#faf6ea', seal: '#0b5f59' },
        `${place(40, -90, magnesium, 0.86)}${place(190, -90, vitamin, 0.86)}${place(340, -90, supplement(['Omega-3'], '60 SOFTGELS', '#7d9a4b', { glass: '#2f5d50' }), 0.86)}`,
        { width: 500, height: 200, color: '#0b5f59', size: 36 },
      ),
    ),
  ),
  'clinical-omega-6-months': stillLife(
    'sage',
    `${place(130, 676, box({ title: ['Clinical', 'Omega'], detail: 'SIX MONTHS', ink: '#faf6ea', seal: '#2f5d50' }, { width: 300, height: 360, color: '#2f5d50', size: 46 }))}${place(480, 726, supplement(['Omega-3'], '60 SOFTGELS', '#7d9a4b', { glass: '#2f5d50' }), 1)}${place(420, 744, pearl('#c9a32c', -20))}`,
  ),
};

const bundles = {
  'creator-bundle': stillLife(
    'clay',
    `${place(112, 668, greens, 0.86)}${place(340, 690, clarityTea, 0.84)}${place(532, 720, magnesium, 0.84)}${place(300, 738, citrus(32))}`,
  ),
  'sleep-bundle': stillLife(
    'dusk',
    `${place(124, 668, calmTea, 0.9)}${place(356, 686, magnesium, 0.9)}${place(556, 690, sprayThing, 0.86)}${place(150, 748, maskThing, 0.48)}${place(470, 740, chamomile(30))}`,
  ),
  'focus-bundle': stillLife(
    'sand',
    `${place(124, 686, clarityTea, 0.94)}${place(366, 696, supplement(['Omega-3', 'from Algae'], '60 SOFTGELS', '#7d9a4b', { glass: '#2f5d50' }), 0.92)}${place(560, 716, glass('#c9821f', { width: 128, height: 168 }))}${place(324, 738, citrus(32))}`,
  ),
  'new-parent-box': stillLife(
    'rose',
    place(
      150,
      716,
      openBox(
        { title: ['New Parent Box'], detail: 'FOR THE FIRST WEEKS', ink: '#5c2f2a', seal: '#f3d9d0' },
        `${place(30, -80, calmTea, 0.82)}${place(232, -100, vitamin, 0.8)}${place(396, -90, sprayThing, 0.72)}`,
        { width: 500, height: 190, color: '#e6b8ac', size: 36 },
      ),
    ),
  ),
};

const home = {
  'stoneware-teapot': stillLife('cream', place(180, 690, teapot(), 1.05)),
  'double-wall-glass-pair': stillLife('sand', `${place(190, 690, glass(), 1.2)}${place(420, 726, glass('#8f4a26'), 1.2)}`),
  'linen-sleep-mask': stillLife('dusk', place(160, 700, maskThing, 1.02)),
  'cedar-pillow-spray': stillLife('sage', `${place(300, 696, sprayThing, 1.3)}${place(560, 742, fern(150, '#4a7a56', 8), 1, 64)}`),
  'beeswax-candle': stillLife('sand', place(280, 700, candle({ title: ['Beeswax'], detail: '40 HOURS' }), 1.15)),
};

export const products: Record<string, string> = { ...teas, ...supplements, ...practice, ...bundles, ...home };
