// The values of the form of the brand: as the API returns them, as they are edited, and as they are sent. Pure.
import type { Input, Result } from '../../../api/call.ts';
import { toLines } from '../form/changed-fields.ts';

export type Brand = Result<'brand.get'>;
export type BrandUpdate = NonNullable<Input<'brand.update'>['body']>;
/** The restricted phrases are one per line. */
export type BrandValues = Record<'logoUrl' | 'color' | 'disclosure' | 'disclaimer' | 'restrictedPhrases', string>;

export function toValues({ logoUrl, color, disclosure, disclaimer, restrictedPhrases }: Brand): BrandValues {
  return {
    logoUrl: logoUrl ?? '',
    color: color ?? '',
    disclosure,
    disclaimer: disclaimer ?? '',
    restrictedPhrases: restrictedPhrases.join('\n'),
  };
}

/** An empty field has no value. */
export function toUpdate({ logoUrl, color, disclosure, disclaimer, restrictedPhrases }: BrandValues): BrandUpdate {
  const orNull = (text: string) => text.trim() || null;
  return {
    logoUrl: orNull(logoUrl),
    color: orNull(color),
    disclosure: orNull(disclosure),
    disclaimer: orNull(disclaimer),
    restrictedPhrases: toLines(restrictedPhrases),
  };
}
