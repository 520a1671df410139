// Reading and changing the brand of a program. A change is visible on public pages immediately, and has an audit entry.

import { z } from 'zod';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { lockPrograms } from '../lock-program.ts';
import { type Brand, BrandSettings, defaultDisclosure, EmailLocale, readBrand } from './brand.ts';

const Shape = z
  .object({
    logoUrl: z.string().nullable(),
    color: z.string().nullable(),
    disclosure: z.string(),
    disclaimer: z.string().nullable(),
    restrictedPhrases: z.array(z.string()),
    senderName: z.string().nullable(),
    replyTo: z.string().nullable(),
    postalAddress: z.string().nullable(),
    emailLocale: EmailLocale,
  })
  .meta({
    id: 'Brand',
    example: {
      logoUrl: 'https://fernandfield.example/logo.png',
      color: '#0B5F59',
      disclosure: defaultDisclosure,
      disclaimer: 'These statements are no medical advice.',
      restrictedPhrases: ['cures insomnia'],
      senderName: 'Fern & Field Partners',
      replyTo: 'partners@fernandfield.example',
      postalAddress: 'Fern & Field Inc.\n1 Orchard Street, New York, NY 10002',
      emailLocale: 'en',
    },
  });

const fields = { requires: 'settings.write', isUserOnly: true, tag: 'Program', statuses: [200] as const, result: Shape } as const;

export const getBrand = endpoint({
  id: 'brand.get',
  route: 'GET /app/programs/:programId/brand',
  scope: 'read',
  summary: 'Get the brand',
  ...fields,
  handle: (ctx, { actor }) => readBrand(ctx, actor.programId),
});

export const updateBrand = endpoint({
  id: 'brand.update',
  route: 'PATCH /app/programs/:programId/brand',
  scope: 'write',
  summary: 'Update the brand',
  description: 'Omitted fields keep their value. Public pages and new emails change immediately.',
  body: BrandSettings.partial().meta({ id: 'BrandUpdate', example: { color: '#0B5F59', restrictedPhrases: ['cures insomnia'] } }),
  ...fields,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    // Changes of one program wait for each other, even before it has a row.
    await lockPrograms(tx, [programId]);
    const present = await readBrand(tx, programId);
    const change = difference(present, withDefaults(body));
    if (!change) return present;
    const brand: Brand = { ...present, ...change.after };
    const row = {
      ...brand,
      disclosure: brand.disclosure === defaultDisclosure ? null : brand.disclosure,
      updatedAt: systemTime(tx),
    };
    await tx.db
      .insertInto('programBrands')
      .values({ programId, ...row })
      .onConflict((conflict) => conflict.column('programId').doUpdateSet(row))
      .execute();
    await recordChange(tx, { programId, actor, action: 'brand.updated', subjectId: programId, ...change });
    return brand;
  },
});

type Body = Partial<z.output<typeof BrandSettings>>;

/** An empty text is no text; no disclosure is the default one. */
function withDefaults({ disclosure, disclaimer, senderName, postalAddress, ...others }: { [K in keyof Body]?: Body[K] | undefined }) {
  const orNull = (text: string | null | undefined) => (text === '' ? null : text);
  return {
    ...others,
    disclosure: disclosure === undefined ? undefined : disclosure || defaultDisclosure,
    disclaimer: orNull(disclaimer),
    senderName: orNull(senderName),
    postalAddress: orNull(postalAddress),
  };
}
