// Portraits of invented people: a head, hair and clothes before a plain wall, with the light of the products.
import { document } from './scene.ts';

type Hair = 'short' | 'long' | 'bun' | 'curly' | 'bob' | 'scarf' | 'bald' | 'waves';
type Look = { skin: string; hair: Hair; color: string; shirt: string; wall: readonly [string, string]; beard?: boolean; glasses?: boolean };

const behind: Record<Hair, (color: string) => string> = {
  short: () => '',
  bald: () => '',
  long: (color) => `<path d="M138 210C120 90 380 90 362 210C372 300 386 360 392 430H108C114 360 128 300 138 210z" fill="${color}"/>`,
  waves: (color) =>
    `<path d="M130 220C110 80 390 80 370 220C404 250 372 290 396 326C414 356 384 390 380 410H120C116 390 86 356 104 326C128 290 96 250 130 220z" fill="${color}"/>`,
  bun: (color) => `<circle cx="250" cy="86" r="46" fill="${color}"/><circle cx="250" cy="86" r="46" fill="url(#flat)"/>`,
  curly: (color) =>
    [
      [150, 190, 58],
      [136, 250, 46],
      [172, 130, 56],
      [228, 100, 58],
      [290, 104, 58],
      [338, 142, 54],
      [356, 200, 54],
      [362, 254, 44],
    ]
      .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/>`)
      .join(''),
  bob: (color) => `<path d="M136 220C116 90 384 90 364 220C372 280 372 310 362 336H138C128 310 128 280 136 220z" fill="${color}"/>`,
  scarf: (color) => `<path d="M120 230C100 70 400 70 380 230C396 330 380 400 420 470H80C120 400 104 330 120 230z" fill="${color}"/>`,
};

const before: Record<Hair, (color: string) => string> = {
  short: (color) =>
    `<path d="M154 212C140 110 210 92 262 96C330 100 360 140 346 214C336 190 330 168 312 158C262 172 200 168 176 160C164 172 158 190 154 212z" fill="${color}"/>`,
  bald: () => '',
  long: (color) =>
    `<path d="M152 226C146 120 220 104 250 104C300 104 356 126 348 226C336 190 300 170 262 132C240 168 176 186 152 226z" fill="${color}"/>`,
  waves: (color) =>
    `<path d="M150 226C140 116 216 100 256 102C320 104 362 140 350 228C340 186 306 178 282 140C262 172 190 176 150 226z" fill="${color}"/>`,
  bun: (color) =>
    `<path d="M154 214C148 120 210 106 250 106C290 106 352 120 346 214C330 168 296 146 250 146C204 146 170 168 154 214z" fill="${color}"/>`,
  curly: (color) =>
    [
      [182, 152, 34],
      [222, 134, 32],
      [264, 130, 32],
      [304, 142, 32],
      [330, 168, 26],
    ]
      .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/>`)
      .join(''),
  bob: (color) =>
    `<path d="M150 224C144 112 230 104 250 104C270 104 356 112 350 224C346 200 344 186 338 176H162C156 186 154 200 150 224z" fill="${color}"/>`,
  scarf: (color) =>
    `<path d="M146 246C132 120 200 98 250 98C300 98 368 120 354 246C352 190 318 146 250 146C182 146 148 190 146 246z" fill="${color}"/><path d="M150 250C160 380 340 380 350 250C380 400 340 470 250 470C160 470 120 400 150 250z" fill="${color}"/><path d="M150 270C176 390 324 390 350 270" fill="none" stroke="#1c140a" stroke-opacity=".16" stroke-width="8"/>`,
};

const dark = '#2b1d14';
const showsEars: ReadonlySet<Hair> = new Set(['short', 'bald', 'bun', 'curly']);

function draw({ skin, hair, color, shirt, wall, beard = false, glasses = false }: Look): string {
  const eye = (x: number) =>
    `<ellipse cx="${x}" cy="228" rx="7" ry="8.5" fill="${dark}"/><circle cx="${x - 2}" cy="225" r="2.4" fill="#fff"/><path d="M${x - 18} 206Q${x} 196 ${x + 18} 206" fill="none" stroke="${color === '#d9d6cf' ? '#a8a49b' : dark}" stroke-width="5" stroke-linecap="round" opacity=".75"/>`;
  const frame = glasses
    ? `<g fill="#fff" fill-opacity=".14" stroke="#3b2c20" stroke-width="4.5"><circle cx="212" cy="230" r="29"/><circle cx="288" cy="230" r="29"/><path d="M241 228q9-7 18 0M183 226l-22-6M317 226l22-6" fill="none"/></g>`
    : '';
  const chin = beard
    ? `<path d="M157 226C158 326 204 354 250 354C296 354 342 326 343 226C340 262 332 290 306 286Q250 262 194 286C168 290 160 262 157 226z" fill="${color}"/>`
    : '';
  const ears = showsEars.has(hair)
    ? `<ellipse cx="153" cy="236" rx="15" ry="25" fill="${skin}"/><ellipse cx="347" cy="236" rx="15" ry="25" fill="${skin}"/>`
    : '';
  const face = 'M156 214C156 150 200 124 250 124C300 124 344 150 344 214C344 300 300 346 250 346C200 346 156 300 156 214z';
  return document(
    500,
    500,
    `<defs><linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${wall[0]}"/><stop offset="1" stop-color="${wall[1]}"/></linearGradient><clipPath id="face"><path d="${face}"/></clipPath></defs>
    <rect width="500" height="500" fill="url(#wall)"/><ellipse cx="330" cy="330" rx="190" ry="240" fill="#2a1f10" opacity=".16" filter="url(#softer)"/>${behind[hair](color)}
    <path d="M40 520C44 420 130 388 206 378H294C370 388 456 420 460 520z" fill="${shirt}"/><path d="M40 520C44 420 130 388 206 378H294C370 388 456 420 460 520z" fill="url(#flat)"/>
    <path d="M206 310H294V384Q250 432 206 384z" fill="${skin}"/><path d="M206 330Q250 372 294 330V352Q250 392 206 352z" fill="#2a1408" opacity=".22"/>
    ${ears}
    <path d="${face}" fill="${skin}"/><g clip-path="url(#face)"><ellipse cx="330" cy="250" rx="90" ry="150" fill="#2a1408" opacity=".2" filter="url(#softer)"/><ellipse cx="196" cy="264" rx="26" ry="17" fill="#c2462f" opacity=".16" filter="url(#soft)"/><ellipse cx="304" cy="264" rx="26" ry="17" fill="#c2462f" opacity=".16" filter="url(#soft)"/></g>
    ${chin}${eye(212)}${eye(288)}<path d="M252 232Q264 262 244 266" fill="none" stroke="#2a1408" stroke-opacity=".4" stroke-width="4" stroke-linecap="round"/>
    <path d="M222 296Q250 320 278 296Q250 306 222 296z" fill="#9c3b32" stroke="#9c3b32" stroke-width="4" stroke-linejoin="round"/>${frame}${before[hair](color)}<rect width="500" height="500" fill="url(#light)" opacity=".7"/>`,
    '40 50 420 420',
  );
}

const walls = {
  sage: ['#dfe7d2', '#b9c8a6'],
  sand: ['#f4e4c8', '#ddc096'],
  clay: ['#f2cfb9', '#d79d7c'],
  mist: ['#d8e6e8', '#a9c2c6'],
  dusk: ['#d9d3e8', '#aba2c8'],
  rose: ['#f5d7d3', '#dba59f'],
} as const;

const looks: Look[] = [
  { skin: '#f0c6a5', hair: 'waves', color: '#6b3a22', shirt: '#2f5d50', wall: walls.sage },
  { skin: '#8d5a3a', hair: 'curly', color: '#24170f', shirt: '#d98a1c', wall: walls.sand },
  { skin: '#e3b08a', hair: 'short', color: '#2b1d14', shirt: '#f4efe2', wall: walls.mist, glasses: true },
  { skin: '#f3cfb3', hair: 'bob', color: '#1d1a1c', shirt: '#a5483f', wall: walls.rose },
  { skin: '#c98f66', hair: 'short', color: '#2b1d14', shirt: '#4d4a6d', wall: walls.clay, beard: true },
  { skin: '#e8bd99', hair: 'long', color: '#c58a45', shirt: '#6f93a8', wall: walls.dusk },
  { skin: '#6d4127', hair: 'bald', color: '#24170f', shirt: '#faf6ea', wall: walls.sage, beard: true, glasses: true },
  { skin: '#d9a67c', hair: 'scarf', color: '#0b5f59', shirt: '#0b5f59', wall: walls.sand },
  { skin: '#f2c9ab', hair: 'bun', color: '#d9d6cf', shirt: '#8a4b5d', wall: walls.mist, glasses: true },
  { skin: '#a86d45', hair: 'long', color: '#24170f', shirt: '#5f7f3f', wall: walls.rose },
  { skin: '#f4d3ba', hair: 'short', color: '#b5622c', shirt: '#2f5d50', wall: walls.clay, beard: true },
  { skin: '#e5b48e', hair: 'bun', color: '#24170f', shirt: '#c9a06a', wall: walls.dusk },
];

export const portraits: Record<string, string> = Object.fromEntries(
  looks.map((look, index) => [`portrait-${String(index + 1).padStart(2, '0')}`, draw(look)]),
);
