// The brand of a program: what its public pages and emails show of it. A program that never changed it has the defaults.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { optionalLine, paragraph, webAddress } from '../../../platform/http/declaration/fields.ts';
import { emailField } from '../../../platform/http/declaration/person-fields.ts';

/** Names that the disclosure can contain. They are replaced where it is shown. */
export const affiliateName = '{affiliate}';
export const programName = '{program}';

/** The disclosure of a landing page, with the names in it. */
export function fillDisclosure(disclosure: string, names: { affiliate: string; program: string }): string {
  return disclosure.replace(/\{affiliate\}|\{program\}/g, (placeholder) =>
    placeholder === affiliateName ? names.affiliate : names.program,
  );
}

export const defaultDisclosure = `${affiliateName} earns a commission when you buy through this page. You pay the same price.`;

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #0B5F59')
  .transform((text) => text.toUpperCase())
  .meta({ json: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' } });

const phrases = z
  .array(optionalLine(100))
  .max(200)
  .transform((list) => [...new Set(list.filter((phrase) => phrase !== ''))])
  .meta({ json: { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 100 } } });

export const EmailLocale = z.enum(['en', 'de']);

export const BrandSettings = z.object({
  logoUrl: webAddress.nullable().describe('An https URL of an image. Shown on public pages and in emails.'),
  color: color.nullable().describe('The color of buttons in emails and on pages without an affiliate.'),
  disclosure: paragraph(500)
    .nullable()
    .describe(
      `Shown on every landing page, above the first product. \`${affiliateName}\` and \`${programName}\` are replaced by names. ` +
        '`null` or an empty text restores the default.',
    ),
  disclaimer: paragraph(2000).nullable().describe('Small print at the end of every landing page.'),
  restrictedPhrases: phrases.describe('Wording that the program does not allow on landing pages. Reviewers see where it is used.'),
  senderName: optionalLine(60).nullable().describe("The name that emails to affiliates are sent from; the program's name by default."),
  replyTo: emailField.nullable().describe('The address that answers to emails to affiliates go to.'),
  postalAddress: paragraph(300).nullable().describe('Shown at the end of emails to affiliates, as the law of many countries requires.'),
  emailLocale: EmailLocale.describe('The language of emails to affiliates who have not signed in and chosen one.'),
});

export type Brand = {
  logoUrl: string | null;
  color: string | null;
  disclosure: string;
  disclaimer: string | null;
  restrictedPhrases: string[];
  senderName: string | null;
  replyTo: string | null;
  postalAddress: string | null;
  emailLocale: z.infer<typeof EmailLocale>;
};

/** The brand of a program, with defaults. */
export async function readBrand(ctx: Pick<Context, 'db'>, programId: string): Promise<Brand> {
  const row = await ctx.db.selectFrom('programBrands').selectAll().where('programId', '=', programId).executeTakeFirst();
  return {
    logoUrl: row?.logoUrl ?? null,
    color: row?.color ?? null,
    disclosure: row?.disclosure ?? defaultDisclosure,
    disclaimer: row?.disclaimer ?? null,
    restrictedPhrases: row?.restrictedPhrases ?? [],
    senderName: row?.senderName ?? null,
    replyTo: row?.replyTo ?? null,
    postalAddress: row?.postalAddress ?? null,
    emailLocale: row?.emailLocale === 'de' ? 'de' : 'en',
  };
}
