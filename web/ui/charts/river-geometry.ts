// The shape of the money river: parts side by side, as wide as their amounts, under one gentle wave.

const gap = 5;
const minimum = 10;
const waveHeight = 5;
const waveLength = 190;

export type RiverPart = { x: number; width: number };

/** Widths in pixels, in proportion to the amounts; at least 10 px unless zero, gaps of 5 px. Zero parts have no place. */
export function riverParts(amounts: readonly number[], width: number): (RiverPart | null)[] {
  const shown = amounts.filter((cents) => cents > 0).length;
  if (shown === 0 || width <= 0) return amounts.map(() => null);
  const widths = shareWidths(amounts, Math.max(0, width - gap * (shown - 1)));
  let x = 0;
  return widths.map((each) => {
    if (each === 0) return null;
    const part = { x, width: each };
    x += each + gap;
    return part;
  });
}

/** Parts below the minimum get it; the others share what remains in proportion. */
function shareWidths(amounts: readonly number[], width: number): number[] {
  const positive = amounts.map((cents) => Math.max(0, cents));
  const small = new Set<number>();
  for (;;) {
    const rest = positive.reduce((sum, cents, index) => (small.has(index) ? sum : sum + cents), 0);
    const space = width - minimum * small.size;
    const next = positive.findIndex((cents, index) => cents > 0 && !small.has(index) && (cents / rest) * space < minimum);
    if (next < 0) return positive.map((cents, index) => (cents === 0 ? 0 : small.has(index) ? minimum : (cents / rest) * space));
    small.add(next);
  }
}

/** The outline of one part: the wave on top, the bed below. The wave continues across the gaps. */
export function riverOutline({ x, width }: RiverPart, top: number, bottom: number): string {
  const steps = Math.max(2, Math.ceil(width / 8));
  const surface = Array.from({ length: steps + 1 }, (_, index) => {
    const at = x + (width * index) / steps;
    return `${round(at)} ${round(top - waveHeight * Math.sin((2 * Math.PI * at) / waveLength))}`;
  });
  return `M${surface.join('L')}L${round(x + width)} ${bottom}L${round(x)} ${bottom}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
