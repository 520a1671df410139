// What all pictures have in common: light from the upper left, a wall and a table in one tone, and the shade of a fern.
import { fern } from './botanicals.ts';

export type Tone = { wall: string; wallDark: string; table: string; tableDark: string };

export const tones = {
  sage: { wall: '#e3e8d8', wallDark: '#c9d2b9', table: '#d3d9c3', tableDark: '#b7c1a3' },
  sand: { wall: '#f2e6d3', wallDark: '#e2cfb2', table: '#e6d4ba', tableDark: '#d0b893' },
  clay: { wall: '#f0d7c6', wallDark: '#e0b79d', table: '#e3bfa6', tableDark: '#cc9c7e' },
  mist: { wall: '#dfe8e9', wallDark: '#c2d0d2', table: '#cfdadb', tableDark: '#b0c0c2' },
  dusk: { wall: '#d9d6e4', wallDark: '#b9b4cd', table: '#c8c3d8', tableDark: '#a7a0bf' },
  rose: { wall: '#f3dcd8', wallDark: '#e2bab5', table: '#e8c8c3', tableDark: '#d2a49f' },
  cream: { wall: '#f5efe2', wallDark: '#e5dac4', table: '#eadfc9', tableDark: '#d4c4a4' },
} as const satisfies Record<string, Tone>;

const gradient = (id: string, attributes: string, stops: readonly [number, string, number][]) =>
  `<linearGradient id="${id}" ${attributes}>${stops
    .map(([offset, color, opacity]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`)
    .join('')}</linearGradient>`;

const shared = [
  gradient('round', 'x1="0" x2="1" y1="0" y2="0"', [
    [0, '#1c140a', 0.34],
    [0.1, '#1c140a', 0.12],
    [0.24, '#fff', 0.2],
    [0.36, '#fff', 0.34],
    [0.5, '#fff', 0.06],
    [0.74, '#1c140a', 0.1],
    [0.93, '#1c140a', 0.3],
    [1, '#1c140a', 0.42],
  ]),
  gradient('flat', 'x1="0" x2="1" y1="0" y2="1"', [
    [0, '#fff', 0.26],
    [0.5, '#fff', 0],
    [1, '#1c140a', 0.2],
  ]),
  gradient('side', 'x1="0" x2="1" y1="0" y2="0"', [
    [0, '#1c140a', 0.18],
    [1, '#1c140a', 0.4],
  ]),
  gradient('glass', 'x1="0" x2="1" y1="0" y2="0"', [
    [0, '#fff', 0.55],
    [0.12, '#fff', 0.1],
    [0.3, '#fff', 0.4],
    [0.42, '#fff', 0.06],
    [0.85, '#fff', 0.05],
    [1, '#fff', 0.5],
  ]),
  '<filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="7"/></filter>',
  '<filter id="softer" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="22"/></filter>',
  '<radialGradient id="light" cx="0.22" cy="0.12" r="0.95"><stop offset="0" stop-color="#fff" stop-opacity=".75"/><stop offset=".55" stop-color="#fff" stop-opacity=".08"/><stop offset="1" stop-color="#1c140a" stop-opacity=".12"/></radialGradient>',
].join('');

/** An SVG document of this size. */
export function document(width: number, height: number, content: string, view = `0 0 ${width} ${height}`): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}" width="${width}" height="${height}"><defs>${shared}</defs>${content}</svg>`;
}

/** A square picture of things on a table, before a wall on which a fern casts its shade. */
export function stillLife(name: keyof typeof tones, things: string, { fernAt = 560 } = {}): string {
  const { wall, wallDark, table, tableDark } = tones[name];
  const fill = (id: string, from: string, to: string, y2 = 1) =>
    gradient(id, `x1="0" x2="0.35" y1="0" y2="${y2}"`, [
      [0, from, 1],
      [1, to, 1],
    ]);
  return document(
    800,
    800,
    `<defs>${fill('wall', wall, wallDark)}${fill('table', table, tableDark)}</defs>
    <rect width="800" height="800" fill="url(#wall)"/>
    <g filter="url(#soft)" opacity=".2" transform="translate(${fernAt} 640) rotate(14)">${fern(560, tableDark, 11)}</g>
    <g filter="url(#soft)" opacity=".13" transform="translate(${fernAt - 420} 660) rotate(-22)">${fern(420, tableDark, 9)}</g>
    <path d="M0 596H800V800H0z" fill="url(#table)"/>
    <path d="M0 596H800v7H0z" fill="#fff" opacity=".35"/>
    ${things}
    <rect width="800" height="800" fill="url(#light)"/>`,
    '75 130 650 650',
  );
}

/** The shade of a thing that stands at `x`, `y` and is `width` wide: dark where it touches, long and soft to the right. */
export function shade(x: number, y: number, width: number, length = 0.7): string {
  const reach = width * length;
  return `<ellipse cx="${x + width / 2 + reach * 0.55}" cy="${y + 4}" rx="${width / 2 + reach * 0.6}" ry="${26}" fill="#2a1f10" opacity=".2" filter="url(#softer)"/>
    <ellipse cx="${x + width / 2 + 8}" cy="${y}" rx="${width / 2 + 6}" ry="13" fill="#2a1f10" opacity=".42" filter="url(#soft)"/>`;
}

export const place = (x: number, y: number, content: string, scale = 1, turn = 0): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${content}</g>`;
