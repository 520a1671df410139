// A contour map derived from a name, for pages and products without an image. The map is drawn once per page; each
// product shows another region of it, so that forty products add hardly any bytes.
import { type Html, html, trustedHtml } from '../../platform/lib/html.ts';

const [points, rings, degrees] = [16, 15, 360];

/** The lines, to be placed once per page. Nothing is visible until `drawRegion` refers to them. */
export function defineContours(name: string): Html {
  const random = createRandom(name);
  const turns = [2, 3, 5].map((frequency, index) => ({ frequency, size: [0.2, 0.12, 0.05][index] ?? 0, phase: random() * 7 }));
  const shape = Array.from({ length: points }, (_, index) => {
    const angle = (index / points) * 2 * Math.PI;
    const radius = 100 * turns.reduce((sum, { frequency, size, phase }) => sum + size * Math.sin(frequency * angle + phase), 1);
    return { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) };
  });
  const drift = (random() - 0.5) * 9;
  const [across, down] = [(random() - 0.5) * 14, (random() - 0.5) * 14];
  const uses = Array.from({ length: rings }, (_, index) => {
    const turn = Math.round(index * drift) % degrees;
    const scale = (0.1 + index * 0.17 + index ** 2 * 0.004).toFixed(2);
    return `<use href="#c" transform="translate(${Math.round(index * across)} ${Math.round(index * down)})rotate(${turn})scale(${scale})"/>`;
  });
  return trustedHtml(
    `<svg class="d" width="0" height="0" aria-hidden="true"><defs><path id="c" d="${toPath(shape)}"/><g id="m">${uses.join('')}</g></defs></svg>`,
  );
}

/** A region of the map, chosen by a text. */
export function drawRegion(text: string, className = ''): Html {
  const random = createRandom(text);
  const size = 130 + Math.round(random() * 90);
  const [x, y] = [Math.round(random() * 200 - 100 - size / 2), Math.round(random() * 200 - 100 - size / 2)];
  return html`<svg class="map ${className}" viewBox="${x} ${y} ${size} ${size}" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><use href="#m"/></svg>`;
}

type Point = { x: number; y: number };

/** A closed, smooth curve: quadratic Bézier segments between the middles of neighboring points. */
function toPath(shape: readonly Point[]): string {
  const middle = (index: number): string => {
    const [from, to] = [shape.at(index % shape.length), shape.at((index + 1) % shape.length)];
    return from && to ? `${Math.round((from.x + to.x) / 2)} ${Math.round((from.y + to.y) / 2)}` : '0 0';
  };
  return `M${middle(-1)}${shape.map(({ x, y }, index) => `Q${x} ${y} ${middle(index)}`).join('')}Z`;
}

/** Numbers from 0 to 1 that are always the same for the same text. */
function createRandom(text: string): () => number {
  const seed = [...text].reduce((hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619), 2_166_136_261);
  const state = { value: seed >>> 0 };
  return () => {
    state.value = (Math.imul(state.value, 1_664_525) + 1_013_904_223) >>> 0;
    return state.value / 2 ** 32;
  };
}
