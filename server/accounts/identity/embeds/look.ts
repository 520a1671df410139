// What an embed shows of its theme: its color is replaced by colors that are readable, in both schemes.
import { z } from 'zod';
import { toAccent, toInk } from '../../../platform/lib/color/accent.ts';
import type { EmbedTheme } from './embed.ts';

const Colors = z.object({
  background: z.string().describe('The color of buttons.'),
  text: z.string().describe('Text on `background`.'),
  ink: z.string().describe('The color of links and other text.'),
});

export const LookShape = z.object({
  accent: z
    .object({ light: Colors.describe('For the light scheme.'), dark: Colors.describe('For the dark scheme.') })
    .nullable()
    .describe('Null: the colors of the portal.'),
  radius: z.int().nullable().describe('Pixels; null: the radius of the portal.'),
  scheme: z.enum(['light', 'dark', 'auto']).describe('`auto` follows the setting of the browser.'),
  fontFamily: z.string().nullable().describe('Null: the fonts of the portal.'),
});

/** The look of a theme, with defaults. */
export function toLook({ accent, radius, scheme, fontFamily }: EmbedTheme): z.infer<typeof LookShape> {
  return {
    accent: accent === undefined ? null : toColors(accent),
    radius: radius ?? null,
    scheme: scheme ?? 'auto',
    fontFamily: fontFamily ?? null,
  };
}

function toColors(color: string) {
  const [{ light, dark }, ink] = [toAccent(color), toInk(color)];
  return { light: { ...light, ink: ink.light }, dark: { ...dark, ink: ink.dark } };
}
