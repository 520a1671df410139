// An embed: the portal or the widget of one affiliate, open in a page of the brand. Its token is created by the brand's
// server, valid once and for minutes. A portal exchanges it for a session, which can only read; a widget for its figures.
import { z } from 'zod';
import type { Json } from '../../../platform/db/schema.gen.ts';

const minuteMs = 60_000;
/** From the creation of a token to its use. */
export const tokenMs = 5 * minuteMs;
/** How long an embedded portal stays open. */
export const sessionMs = 60 * minuteMs;

export const EmbedKind = z.enum(['portal', 'widget']);
export type EmbedKind = z.infer<typeof EmbedKind>;
export const EmbedLocale = z.enum(['en', 'de']);

const accentColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #0B5F59')
  .transform((text) => text.toUpperCase())
  .meta({ json: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' } });

const radiusRange = 'must be a whole number of pixels from 0 to 24';

/** Letters, digits, spaces, commas, hyphens and single quotes: names of fonts, and nothing that ends a declaration. */
const fontFamily = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ,'-]{0,99}$/, "must be names of fonts, such as Inter, 'Segoe UI', sans-serif")
  .meta({ json: { type: 'string', maxLength: 100 } });

/** How an embed looks. What is omitted has the look of the portal. */
export const EmbedTheme = z
  .object({
    accent: accentColor
      .optional()
      .describe('The color of buttons and links. Where it is not readable on the background, a darker or lighter one is used.'),
    radius: z.int(radiusRange).min(0, radiusRange).max(24, radiusRange).optional().describe('The radius of corners, in pixels.'),
    scheme: z.enum(['light', 'dark', 'auto']).optional().describe('`auto`, the default, follows the setting of the browser.'),
    fontFamily: fontFamily.optional().describe('Fonts that are installed on the device, or in a widget also those of the page.'),
  })
  .meta({ id: 'EmbedTheme', example: { accent: '#0B5F59', radius: 8, scheme: 'auto', fontFamily: 'Inter, sans-serif' } });
export type EmbedTheme = z.output<typeof EmbedTheme>;

/** The theme that was stored with a token. */
export function parseTheme(stored: Json): EmbedTheme {
  return EmbedTheme.parse(stored);
}
