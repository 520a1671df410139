// The image or file of a resource: which types are accepted, and how it is stored. What a file is depends on its extension and
// its first bytes, never on what the sender says.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import { line, logged } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { type ConvertedDownload, convertForDownload, hasKnownFormat } from '../media/convert.ts';
import { base64, imageFaults, maxCharacters, runConversion } from '../media/upload.ts';

export const uploadLimitBytes = maxCharacters + 32 * 1024;

const startsWith = (...signatures: string[]) => {
  return (bytes: Buffer) => signatures.some((signature) => bytes.toString('latin1', 0, signature.length) === signature);
};
const isZip = startsWith('PK\x03\x04');
const office = (application: string) => `application/vnd.openxmlformats-officedocument.${application}`;

type FileType = { type: string; matches: (bytes: Buffer) => boolean };

/** By extension. None of them is opened by a browser as a page of this service: all are sent as attachments. */
const fileTypes: Readonly<Record<string, FileType>> = {
  pdf: { type: 'application/pdf', matches: startsWith('%PDF-') },
  zip: { type: 'application/zip', matches: isZip },
  docx: { type: office('wordprocessingml.document'), matches: isZip },
  xlsx: { type: office('spreadsheetml.sheet'), matches: isZip },
  pptx: { type: office('presentationml.presentation'), matches: isZip },
  csv: { type: 'text/csv', matches: isText },
  txt: { type: 'text/plain', matches: isText },
  mp4: { type: 'video/mp4', matches: (bytes) => bytes.toString('latin1', 4, 8) === 'ftyp' },
};
const extensions = Object.keys(fileTypes);

/** The media types that a download can have. */
export const downloadTypes = ['image/jpeg', 'image/png', 'image/webp', ...Object.values(fileTypes).map(({ type }) => type)];

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString('utf8')).equals(bytes);
}

/** `image` is null until it has been converted, and for other files. */
type Content = { bytes: Buffer; image: ConvertedDownload | null };

export const Upload = z
  .object({
    name: logged(line(120).transform((name) => name.replaceAll(/[\\/:*?"<>|]/g, '-'))).describe(
      `The name under which it is downloaded. A file ends in ${extensions.map((each) => `.${each}`).join(', ')}.`,
    ),
    content: base64
      .transform((text): Content => ({ bytes: Buffer.from(text, 'base64'), image: null }))
      .meta({ json: { type: 'string', contentEncoding: 'base64', maxLength: maxCharacters } })
      .describe('The content in Base64, at most 10 MB. Images are JPEG, PNG, WebP or AVIF of at most 40 megapixels.'),
  })
  .meta({ id: 'ResourceUpload', example: { name: 'prices.txt', content: 'TW9ybmluZyBDbGFyaXR5OiAkMTQuOTA=' } });
type Upload = z.output<typeof Upload>;

/** Converts the content if it is an image, before the transaction starts. */
export async function prepareUpload<Body extends { file?: Upload | undefined }>(ctx: Pick<Context, 'workers'>, body: Body): Promise<Body> {
  if (!body.file || !hasKnownFormat(body.file.content.bytes)) return body;
  const { bytes } = body.file.content;
  return { ...body, file: { ...body.file, content: { bytes, image: await runConversion(ctx, convertForDownload, bytes) } } };
}

/** The columns of `resources` and `resource_files` for an upload. */
export type Stored = { columns: FileColumns; content: Buffer; preview: Buffer | null };
type FileColumns = {
  fileName: string;
  fileType: string;
  fileBytes: number;
  fileHash: string;
  width: number | null;
  height: number | null;
};

/** Throws Invalid if the content is not what the kind and the name require. */
export function toStored(kind: string, { name, content: { bytes, image } }: Upload): Stored {
  if (kind === 'image') return toStoredImage(name, image ?? { fault: 'unknown_format' });
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = fileTypes[extension];
  if (!known)
    throw invalid('name', `has an extension that is not accepted; accepted are ${extensions.map((each) => `.${each}`).join(', ')}`);
  if (!known.matches(bytes)) throw invalid('content', `is not a ${extension.toUpperCase()} file`);
  return { columns: toColumns(name, known.type, bytes), content: bytes, preview: null };
}

/** The name gets the extension of the format in which the image is stored. */
function toStoredImage(name: string, image: ConvertedDownload): Stored {
  if (image.fault !== null) throw invalid('content', imageFaults[image.fault]);
  const { type, width, height } = image.file;
  const content = Buffer.from(image.file.content);
  const fileName = `${name.replace(/\.[a-z0-9]{2,5}$/i, '')}.${type === 'image/png' ? 'png' : 'jpg'}`;
  return { columns: { ...toColumns(fileName, type, content), width, height }, content, preview: Buffer.from(image.preview) };
}

function toColumns(fileName: string, fileType: string, content: Buffer): FileColumns {
  return {
    fileName,
    fileType,
    fileBytes: content.length,
    fileHash: createHash('sha256').update(content).digest('hex'),
    width: null,
    height: null,
  };
}

const invalid = (part: 'name' | 'content', message: string) => new Invalid([{ path: ['file', part], message }]);

/** Stores the content of a resource, or replaces it. */
export async function storeContent(tx: Tx, owner: { programId: string; resourceId: string }, { content, preview }: Stored): Promise<void> {
  await tx.db
    .insertInto('resourceFiles')
    .values({ ...owner, content, preview })
    .onConflict((conflict) => conflict.columns(['programId', 'resourceId']).doUpdateSet({ content, preview }))
    .execute();
}
