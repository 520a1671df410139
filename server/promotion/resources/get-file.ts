// The content of a resource: for programs as JSON, or as a download. A download is always an attachment, so that no file opens
// as a page of this service.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { downloadTypes } from './file.ts';
import { ResourceFile, type ResourceRow, resourceSlot, toFile } from './resource.ts';

export const FileQuery = z.object({
  format: z
    .enum(['json', 'file', 'preview'])
    .default('json')
    .describe('`file`: the file itself, as a download. `preview`: an image of at most 512 pixels width, as WebP; 404 if it is no image.'),
});
type Format = z.output<typeof FileQuery>['format'];

export const ResourceContent = ResourceFile.extend({ content: z.string().describe('The content in Base64.') }).meta({
  id: 'ResourceContent',
  example: {
    name: 'prices.txt',
    type: 'text/plain',
    sizeBytes: 23,
    width: null,
    height: null,
    content: 'TW9ybmluZyBDbGFyaXR5OiAkMTQuOTA=',
  },
});

/** Declared media types of a download. */
export const fileMedia = downloadTypes;

/** The content in a format. Throws NotFound for a text, and for the preview of what is no image. */
export async function readContent(
  { db }: Pick<Context, 'db'>,
  row: ResourceRow,
  format: Format,
): Promise<z.input<typeof ResourceContent> | Document> {
  const file = toFile(row);
  if (!file) throw new NotFound();
  const files = db.selectFrom('resourceFiles').where('programId', '=', row.programId).where('resourceId', '=', row.id);
  if (format === 'preview') {
    const { preview } = await files.select('preview').executeTakeFirstOrThrow();
    if (!preview) throw new NotFound();
    return new Document('image/webp', preview, undefined, { ...headers, 'content-disposition': 'inline' });
  }
  const { content } = await files.select('content').executeTakeFirstOrThrow();
  if (format === 'json') return { ...file, content: content.toString('base64') };
  return new Document(file.type, content, undefined, { ...headers, 'content-disposition': attachment(file.name) });
}

const headers = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

/** RFC 6266: the name in ASCII for old clients, and as it is. */
function attachment(name: string): string {
  const plain =
    name
      .normalize('NFKD')
      .replaceAll(/[^\x20-\x7e]/g, '')
      .replaceAll(/["\\]/g, '') || 'file';
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export const getResourceFile = endpoint({
  id: 'resources.getFile',
  route: 'GET /v1/programs/:programId/resources/:id/file',
  scope: 'read',
  tag: 'Resources',
  summary: 'Get the image or file of a resource',
  path: { id: resourceSlot },
  query: FileQuery,
  statuses: [200],
  result: ResourceContent,
  media: fileMedia,
  errors: [{ status: 404, code: 'not_found', when: 'The resource is a text, or has no preview.' }],
  async handle(ctx, { actor: { programId }, params: { id }, query: { format } }) {
    const resources = ctx.db.selectFrom('resources').selectAll().where('programId', '=', programId);
    return readContent(ctx, await resources.where('id', '=', id).executeTakeFirstOrThrow(), format);
  },
});
