// Wide pictures for the tops of pages: a table by the window, a field at dawn, a shelf in a practice.
import { chamomile, citrus, fern, leaf } from './botanicals.ts';
import { glass, teapot } from './home.ts';
import { document, place, tones } from './scene.ts';
import { bottle, tin } from './vessels.ts';

const size = [1600, 1000] as const;
const rise = (id: string, from: string, to: string) =>
  `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

const calmTea = tin({ title: ['Evening', 'Calm'], detail: 'LOOSE LEAF · 80 G', band: '#8f86b5' }, { body: '#4d4a6d', lid: '#c9b489' });
const clarityTea = tin(
  { title: ['Morning', 'Clarity'], detail: 'LOOSE LEAF · 80 G', band: '#e0a01f' },
  { body: '#b5762a', lid: '#efe3c4' },
);
const supplement = (title: string[], detail: string, band: string, color: string) => bottle({ title, detail, band }, { glass: color });

/** Panes of light that a window casts on a wall. */
function windowLight(x: number): string {
  const panes = [0, 1, 2, 3].map((index) => {
    const [left, top] = [x + (index % 2) * 230, 60 + Math.floor(index / 2) * 240];
    return `<path d="M${left} ${top}l200 40v210l-200 -40z" fill="#fff8e2"/>`;
  });
  return `<g opacity=".6" filter="url(#soft)">${panes.join('')}</g>`;
}

function table(): string {
  const { wall, wallDark, table: top, tableDark } = tones.sand;
  return document(
    ...size,
    `<defs>${rise('wall', wall, wallDark)}${rise('table', top, tableDark)}</defs><rect width="1600" height="1000" fill="url(#wall)"/>${windowLight(930)}
    <g filter="url(#soft)" opacity=".22" transform="translate(1330 700) rotate(-16)">${fern(640, tableDark, 12)}</g>
    <path d="M0 720H1600V1000H0z" fill="url(#table)"/><path d="M0 720H1600v8H0z" fill="#fff" opacity=".4"/>
    ${place(250, 850, calmTea, 1.15)}${place(640, 868, teapot('#5f7a72'), 1.25)}${place(1140, 880, glass('#c9821f'), 1.3)}${place(1420, 890, chamomile(52))}${place(1500, 860, chamomile(34))}${place(570, 910, citrus(52))}${place(180, 920, leaf(130, '#5f7f3f'), 1, -16)}
    <rect width="1600" height="1000" fill="url(#light)"/>`,
  );
}

function field(): string {
  const ridge = (y: number, height: number, color: string, phase: number) => {
    const points = Array.from({ length: 17 }, (_, index) => {
      const lift = Math.sin(index * 0.62 + phase) * height + Math.sin(index * 1.37 + phase * 2) * height * 0.4;
      return `${index * 100} ${Math.round(y + lift)}`;
    });
    return `<path d="M0 1000L${points.join('L')}L1600 1000z" fill="${color}" stroke="${color}" stroke-width="60" stroke-linejoin="round"/>`;
  };
  const ferns = Array.from({ length: 15 }, (_, index) =>
    place(
      40 + index * 112,
      1020 + (index % 3) * 22,
      fern(250 + ((index * 67) % 130), ['#123f38', '#1d5a4d', '#174c42'][index % 3] ?? '', 9),
      1,
      ((index * 37) % 34) - 20,
    ),
  );
  return document(
    ...size,
    `<defs>${rise('sky', '#f7dcc0', '#fdf3df')}</defs><rect width="1600" height="1000" fill="url(#sky)"/><circle cx="1130" cy="400" r="250" fill="#fff3d0" filter="url(#softer)"/><circle cx="1130" cy="400" r="86" fill="#fffaea"/>
    ${ridge(520, 46, '#c9d3c0', 0.4)}${ridge(600, 40, '#a5bfae', 2.1)}${ridge(690, 44, '#76a08f', 4)}${ridge(780, 36, '#467c6c', 1.2)}${ridge(890, 30, '#245f52', 3.1)}${ferns.join('')}<rect width="1600" height="1000" fill="url(#light)" opacity=".5"/>`,
  );
}

function shelf(): string {
  const { wall, wallDark } = tones.mist;
  const board = (y: number) =>
    `<path d="M0 ${y + 30}H1600V${y + 90}H0z" fill="#2a1f10" opacity=".22" filter="url(#softer)"/><rect y="${y}" width="1600" height="34" fill="#c9a06a"/><rect y="${y}" width="1600" height="8" fill="#fff" opacity=".35"/>`;
  const pot = `<path d="M0 0L-16 -130H150L134 0z" fill="#e7dcc6"/><path d="M0 0L-16 -130H150L134 0z" fill="url(#round)"/>`;
  const plant = [-46, -24, 0, 24, 46].map((turn) => place(67, -120, fern(270, '#2f6b52', 9), 1, turn)).join('');
  return document(
    ...size,
    `<defs>${rise('wall', wall, wallDark)}</defs><rect width="1600" height="1000" fill="url(#wall)"/>${windowLight(180)}${board(380)}${board(850)}
    ${place(980, 380, clarityTea, 0.86)}${place(1220, 380, calmTea, 0.86)}${place(330, 380, supplement(['Iron'], '90 CAPSULES', '#a5483f', '#8a4b17'), 0.8)}
    ${place(240, 850, `${plant}${pot}`, 1)}${place(560, 850, supplement(['Magnesium', 'Glycinate'], '120 CAPSULES', '#6f93a8', '#8a4b17'), 1.1)}${place(810, 850, supplement(['Vitamin', 'D3 + K2'], '60 CAPSULES', '#e8b23a', '#8a4b17'), 1.1)}${place(1060, 850, supplement(['Omega-3', 'from Algae'], '60 SOFTGELS', '#7d9a4b', '#2f5d50'), 1.1)}${place(1330, 850, glass('#c9821f'), 1)}
    <rect width="1600" height="1000" fill="url(#light)"/>`,
  );
}

export const heroes: Record<string, string> = { table: table(), field: field(), shelf: shelf() };
