// Previews of every email, with sample contents, in the look of the program.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { directEmails, emailKinds, findKind } from '../kinds/table.ts';
import { loadFrame, locales } from '../look/look.ts';
import { readOriginOf } from '../look/sender.ts';
import { darkCondition } from '../look/styles.ts';
import { previewHeaders } from './policy.ts';
import { renderSample, type SampleId, sampleIds, samples } from './samples.ts';

const kinds = { ...emailKinds, ...directEmails };

const draftField = (max: number) => z.string().max(max).optional();

const query = z.object({
  email: z.enum(sampleIds).default(sampleIds[0]),
  locale: z.enum(locales).default('en'),
  subject: draftField(150).describe('With `heading` and `body`: a text that is not stored yet.'),
  heading: draftField(150),
  body: draftField(2000),
});

const Person = z.object({
  name: z.string().describe('The name that mail programs show.'),
  address: z.string().describe('The email address.'),
});

const Preview = z
  .object({
    email: z.enum(sampleIds),
    look: z.enum(['program', 'service']).describe('Whose look and name the email has.'),
    delivery: z
      .enum(['always', 'claimed', 'optional'])
      .describe(
        '`always`: cannot be opted out of. `claimed`: always to affiliates who have signed in. `optional`: unless the address opted out.',
      ),
    from: Person.describe('The sender.'),
    replyTo: Person.nullable(),
    subject: z.string(),
    text: z.string(),
  })
  .meta({
    id: 'EmailPreview',
    example: {
      email: 'approval',
      look: 'program',
      delivery: 'claimed',
      from: { name: 'Fern & Field Partners', address: 'mail@service.example' },
      replyTo: { name: 'Fern & Field Partners', address: 'partners@fernandfield.example' },
      subject: 'You’ve been approved as an affiliate of Fern & Field',
      text: 'Fern & Field\n\nWelcome, Ada',
    },
  });

const fields = { scope: 'read', requires: 'settings.write', isUserOnly: true, tag: 'Emails', statuses: [200] } as const;

export const getEmailPreview = endpoint({
  id: 'emailPreview.get',
  route: 'GET /app/programs/:programId/email-preview',
  summary: 'Preview an email as text',
  query,
  ...fields,
  result: Preview,
  async handle(ctx, { actor: { programId }, query: { email, locale, ...draft } }) {
    const { subject, text } = await render(ctx, { programId, email, locale, draft });
    const { kind } = samples[email];
    const { look, delivery } = kinds[kind];
    const origin = await readOriginOf(ctx, programId, kind in directEmails ? { look, isSecurity: true } : findKind(kind));
    return { email, look, delivery, from: origin.from, replyTo: ('replyTo' in origin && origin.replyTo) || null, subject, text };
  },
});

export const showEmailPreview = endpoint({
  id: 'emailPreview.show',
  route: 'GET /app/programs/:programId/email-preview/page',
  summary: 'Preview an email as a page',
  description: 'For a frame in the console: the page runs no script and loads nothing but the logo.',
  query: query.extend({ scheme: z.enum(['light', 'dark']).default('light') }),
  ...fields,
  result: Preview,
  media: ['text/html'],
  async handle(ctx, { actor: { programId }, query: { email, locale, scheme, ...draft } }) {
    const { html, logoUrl } = await render(ctx, { programId, email, locale, draft });
    const shown = html.replaceAll(darkCondition, scheme === 'dark' ? '(min-width:0)' : '(max-width:0)');
    return new Document('text/html; charset=utf-8', shown, undefined, previewHeaders(logoUrl));
  },
});

type Draft = { subject?: string | undefined; heading?: string | undefined; body?: string | undefined };
type Wanted = { programId: string; email: SampleId; locale: (typeof locales)[number]; draft: Draft };

async function render(ctx: Context, { programId, email, locale, draft: { subject, heading, body } }: Wanted) {
  const { frame, sender } = await loadFrame(ctx, { programId, affiliateId: null, locale, email });
  const isDraft = subject !== undefined && heading !== undefined && body !== undefined;
  const edited = isDraft ? { subject, heading, body } : (frame.edited ?? null);
  const logoUrl = frame.look.of === 'program' ? frame.look.logoUrl : null;
  return { ...renderSample(email, { frame: { look: frame.look, locale, edited }, sender, origin: getPublicUrl(ctx.config) }), logoUrl };
}
