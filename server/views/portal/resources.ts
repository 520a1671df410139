// The resource library as one affiliate sees it: texts are ready to copy, with the affiliate's own link inside.
import { z } from 'zod';
import { fillDisclosure, readBrand } from '../../accounts/programs/brand/brand.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { page, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { countRows, listOf } from '../../platform/http/declaration/lists.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { fullName, isolateRightToLeft } from '../../platform/lib/text.ts';
import { readPersonal, selectVisible, toPersonalText } from '../../promotion/resources/for-affiliate.ts';
import { FileQuery, fileMedia, ResourceContent, readContent } from '../../promotion/resources/get-file.ts';
import { ResourceFile, ResourceKind, resourceExample, resourceSlot, toFile } from '../../promotion/resources/resource.ts';

const resourceOfAffiliate = {
  id: resourceExample.id,
  kind: 'text' as const,
  title: resourceExample.title,
  description: resourceExample.description,
  text: 'My mornings start with Fern & Field. Try it: https://links.example/r/ada',
  isCouponMissing: false,
  file: null,
  language: 'en',
  updatedAt: resourceExample.updatedAt,
};

const PortalResource = z
  .object({
    id: uuidOut,
    kind: ResourceKind,
    title: z.string().describe('What it is called.'),
    description: z.string().nullable().describe('What it is for.'),
    text: z.string().nullable().describe('The text to copy, with the link, codes and name of the affiliate.'),
    isCouponMissing: z.boolean().describe('The text names a coupon, and the affiliate has none that can be used now; `text` is null.'),
    file: ResourceFile.nullable().describe('The image or file; `portal.getResourceFile` returns its content.'),
    language: z.string().nullable().describe('The language of its content, such as `de`; null if it has none.'),
    updatedAt: timestampOut,
  })
  .meta({ id: 'PortalResource', example: resourceOfAffiliate });

export const listPortalResources = endpoint({
  id: 'portal.resources',
  route: 'GET /app/portal/:programId/resources',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'List the resources that the affiliate may use',
  description: 'In the order that the program chose.',
  query: z.object({ kind: ResourceKind.optional(), ...page }),
  statuses: [200],
  result: listOf('resources', PortalResource, 'PortalResourceList')
    .extend({
      restrictedPhrases: z.array(z.string()).describe('Wording that the program does not allow.'),
      disclosure: z.string().describe('How the program discloses that it pays for recommendations.'),
    })
    .meta({
      id: 'PortalResourceLibrary',
      example: {
        resources: [resourceOfAffiliate],
        total: 1,
        limit: 50,
        offset: 0,
        restrictedPhrases: ['cures insomnia'],
        disclosure: 'As an affiliate I earn from qualifying purchases.',
      },
    }),
  async handle(ctx, { actor, query: { kind, limit, offset } }) {
    const visible = selectVisible(ctx, actor);
    const chosen = kind === undefined ? visible : visible.where('kind', '=', kind);
    const ordered = chosen.selectAll().orderBy('position').orderBy('id');
    const [rows, total, personal, { restrictedPhrases, disclosure }] = await Promise.all([
      ordered.limit(limit).offset(offset).execute(),
      countRows(chosen),
      readPersonal(ctx, actor),
      readBrand(ctx, actor.programId),
    ]);
    const resources = rows.map((row) => ({
      ...row,
      ...toPersonalText(row.body, personal),
      kind: ResourceKind.parse(row.kind),
      file: toFile(row),
      updatedAt: row.updatedAt.toISOString(),
    }));
    const names = { affiliate: isolateRightToLeft(fullName(personal)), program: isolateRightToLeft(personal.program) };
    return { resources, total, limit, offset, restrictedPhrases, disclosure: fillDisclosure(disclosure, names) };
  },
});

export const getPortalResourceFile = endpoint({
  id: 'portal.getResourceFile',
  route: 'GET /app/portal/:programId/resources/:id/file',
  scope: 'affiliate',
  tag: 'Portal',
  summary: 'Get the image or file of a resource that the affiliate may use',
  path: { id: resourceSlot },
  findsPath: true,
  query: FileQuery,
  statuses: [200],
  result: ResourceContent,
  media: fileMedia,
  errors: [{ status: 404, code: 'not_found', when: 'The affiliate may not use the resource, or it is a text.' }],
  async handle(ctx, { actor, params: { id }, query: { format } }) {
    const row = await selectVisible(ctx, actor).selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new NotFound();
    return readContent(ctx, row, format);
  },
});
