import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import type { Personal } from './fill-text.ts';
import { readPersonal, toPersonalText } from './for-affiliate.ts';
import { requireKnownPlaceholders, textField } from './resource.ts';

export const previewResource = endpoint({
  id: 'resources.preview',
  route: 'POST /v1/programs/:programId/resources/preview',
  scope: 'read',
  tag: 'Resources',
  summary: 'Preview the text of a resource',
  description: 'Nothing is stored.',
  body: z
    .object({
      text: textField,
      affiliateId: uuid.nullable().optional().describe('For whom the placeholders are replaced; without it, with an example.'),
    })
    .meta({ id: 'ResourcePreviewRequest', example: { text: 'Try {program}: {link}' } }),
  statuses: [200],
  result: z
    .object({
      text: z
        .string()
        .nullable()
        .describe('The text as the affiliate copies it; null if it needs a coupon that the affiliate does not have.'),
      isCouponMissing: z.boolean().describe('The text contains `{coupon}`, and the affiliate has no coupon that can be used now.'),
    })
    .meta({
      id: 'ResourcePreview',
      example: { text: 'Try Fern & Field: https://links.example/r/ada', isCouponMissing: false },
    }),
  errors: [{ status: 404, code: 'not_found', when: '`affiliateId` was not found in this program.' }],
  async handle(ctx, { actor: { programId }, body: { text, affiliateId } }) {
    requireKnownPlaceholders(text);
    const personal = affiliateId == null ? await toSample(ctx, programId) : await readExisting(ctx, programId, affiliateId);
    return toPersonalText(text, personal);
  },
});

async function toSample(ctx: Context, programId: string): Promise<Personal> {
  const { name: program } = await getProgram(ctx, programId);
  const code = 'K7QM3XWP';
  return { link: `${getPublicUrl(ctx.config)}/r/${code}`, code, coupon: 'ADA15', firstName: 'Ada', lastName: 'Lovelace', program };
}

async function readExisting(ctx: Context, programId: string, affiliateId: string): Promise<Personal> {
  const affiliates = ctx.db.selectFrom('affiliates').select('id').where('programId', '=', programId).where('id', '=', affiliateId);
  if (!(await affiliates.executeTakeFirst())) throw new NotFound('affiliateId');
  return readPersonal(ctx, { programId, affiliateId });
}
