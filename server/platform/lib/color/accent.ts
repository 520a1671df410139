// The color of a program, made readable: in the light scheme as it is, with the darker or lighter text on it; in the dark
// scheme lightened until it stands out from the background.

export type Accent = { light: Pair; dark: Pair };
type Pair = { background: string; text: string };
type Rgb = readonly [number, number, number];

const defaultAccent: Accent = {
  light: { background: '#0B5F59', text: '#FFFFFF' },
  dark: { background: '#5CC8B6', text: '#05201C' },
};
/** In the order of preference; white or black is readable on every color. */
const textColors = ['#FFFFFF', '#0B1513', '#000000'] as const;
const darkCard: Rgb = [0x11, 0x20, 0x1d];

/** Both pairs for a color such as `#0B5F59`; anything else counts as the default color. */
export function toAccent(color: string | null): Accent {
  const chosen = parseColor(color ?? '');
  if (!chosen) return defaultAccent;
  return { light: toPair(chosen), dark: toPair(mixUntilReadable(chosen, 255, darkCard)) };
}

/** The darkest background of the portal in the light scheme, and the lightest in the dark one. */
const lightest: Rgb = [0xec, 0xf0, 0xec];
const darkest: Rgb = [0x18, 0x2b, 0x27];

/** The color as text: darkened for the light scheme and lightened for the dark one, until it is readable on every background. */
export function toInk(color: string): { light: string; dark: string } {
  const chosen = parseColor(color) ?? [0, 0, 0];
  return { light: formatColor(mixUntilReadable(chosen, 0, lightest)), dark: formatColor(mixUntilReadable(chosen, 255, darkest)) };
}

/** Mixed with more and more of black (0) or white (255), until its contrast with the background is 4.5. */
function mixUntilReadable(color: Rgb, end: 0 | 255, background: Rgb, share = 0): Rgb {
  const mix = (part: number) => Math.round(part + (end - part) * share);
  const mixed: Rgb = [mix(color[0]), mix(color[1]), mix(color[2])];
  return share >= 1 || contrast(mixed, background) >= 4.5 ? mixed : mixUntilReadable(color, end, background, share + 0.05);
}

function toPair(color: Rgb): Pair {
  const text = textColors.find((candidate) => contrast(color, parseColor(candidate) ?? [0, 0, 0]) >= 4.5) ?? '#000000';
  return { background: formatColor(color), text };
}

function contrast(a: Rgb, b: Rgb): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function parseColor(text: string): Rgb | null {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return null;
  const part = (at: number) => Number.parseInt(text.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function formatColor(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}
