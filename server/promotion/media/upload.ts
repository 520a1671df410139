// Uploading an image for a page. The original is never stored: `convert.ts` encodes its pixels again.
import { z } from 'zod';
import { findAffiliate } from '../../accounts/identity/affiliate-accounts/find-affiliate.ts';
import { findMember } from '../../accounts/identity/members/find-member.ts';
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import type { Context, Tx } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import type { UserPrincipal } from '../../platform/http/declaration/principal.ts';
import { createSemaphore } from '../../platform/lib/concurrency/semaphore.ts';
import { ApiError, Invalid, NotFound, Unavailable } from '../../platform/lib/errors.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { type Converted, convertImage, type Variant } from './convert.ts';

const maxBytes = 10 * 1024 * 1024;
/** Base64 needs four characters for three bytes. */
export const maxCharacters = Math.ceil(maxBytes / 3) * 4;
const maxImagesPerDay = 100;
/** Affiliates who await approval prepare their page. */
const uploaderStatuses = ['pending', 'active'];
const retryAfterSeconds = 3600;

/** One image is decoded at a time in each process, so that images can't exhaust its memory. */
const conversions = createSemaphore({
  concurrency: 1,
  maxWaiting: 16,
  maxWaitMs: 20_000,
  overloadError: () => new Unavailable('Too many images are being processed. Try again in a few seconds.', 5),
});

/** A file of at most 10 MB. */
export const base64 = z
  .string()
  .refine((text) => text.length > 0, { error: 'must not be empty' })
  .refine((text) => text.length <= maxCharacters, { error: 'must not be larger than 10 MB' })
  .refine(isBase64, { error: 'must be Base64' })
  .meta({ json: { type: 'string', contentEncoding: 'base64', maxLength: maxCharacters } });

/** By decoding it: a regular expression takes a hundred times as long for a large image. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding;
}

const Upload = z
  .object({
    programId: uuid.describe('The program whose page will show the image.'),
    image: base64.describe('A JPEG, PNG, WebP or AVIF file in Base64, at most 10 MB and 40 megapixels.'),
  })
  .meta({ id: 'MediaUpload', example: { programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', image: '/9j/4AAQSkZJRg==' } });

const Media = z
  .object({
    id: uuidOut,
    url: z.string().describe('The largest variant. `?w=256`, `?w=512` and `?w=1600` return the variant of that width.'),
    width: z.int(),
    height: z.int(),
  })
  .meta({
    id: 'Media',
    example: {
      id: '01980a60-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
      url: 'https://partners.example/media/01980a60-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
      width: 1600,
      height: 1067,
    },
  });

export const uploadMedia = endpoint({
  id: 'media.upload',
  route: 'POST /app/media',
  scope: 'user',
  onSites: true,
  tag: 'Portal',
  summary: 'Upload an image',
  description:
    'For affiliates of the program, and members who may change pages or settings. The image is rotated as its camera recorded, ' +
    'stored as WebP in three widths, and loses all metadata, including the place where it was taken.',
  body: Upload,
  bodyLimitBytes: maxCharacters + 4096,
  heavy: true,
  statuses: [201],
  result: Media,
  errors: [
    { status: 404, code: 'not_found', when: 'The user is not in the program.' },
    { status: 429, code: 'too_many_images', when: 'The user uploaded 100 images to the program within 24 hours.' },
  ],
  async handle(ctx, { actor, body }) {
    if (!(await mayUpload(ctx, actor, body.programId))) throw new NotFound('programId');
    await requireAllowance(ctx, { programId: body.programId, userId: actor.id });
    const variants = requireVariants(await runConversion(ctx, convertImage, Buffer.from(body.image, 'base64')));
    return transact(ctx, (tx) => storeImage(tx, { programId: body.programId, userId: actor.id, variants }));
  },
});

async function mayUpload(ctx: Context, user: UserPrincipal, programId: string): Promise<boolean> {
  const affiliate = await findAffiliate(ctx, user, programId);
  if (affiliate && uploaderStatuses.includes(affiliate.affiliateStatus)) return true;
  const member = await findMember(ctx, user, programId);
  return member !== null && (member.permissions.has('affiliates.write') || member.permissions.has('settings.write'));
}

/** Converts an image in a worker thread, with one of the functions of `convert.ts`. */
export async function runConversion<Result>(
  { workers }: Pick<Context, 'workers'>,
  convert: (bytes: Uint8Array) => Promise<Result>,
  bytes: Uint8Array,
): Promise<Result> {
  const release = await conversions.acquire();
  try {
    return await workers.run(new URL('convert.ts', import.meta.url).href, convert, bytes);
  } finally {
    release();
  }
}

/** What is wrong with an image. */
export const imageFaults = {
  unknown_format: 'must be a JPEG, PNG, WebP or AVIF image',
  too_many_pixels: 'must not have more than 40 megapixels',
  unreadable: 'is damaged or incomplete',
};

function requireVariants(converted: Converted): Variant[] {
  if (converted.fault === null) return converted.variants;
  throw new Invalid([{ path: ['image'], message: imageFaults[converted.fault] }]);
}

export type NewImage = { programId: string; userId: string; variants: readonly Variant[] };

/** Stores an image of a user, and returns its address. */
export async function storeImage(tx: Tx, { programId, userId, variants }: NewImage): Promise<z.input<typeof Media>> {
  // Uploads of one program take turns, so that together they can't exceed the limit.
  await lockPrograms(tx, [programId]);
  await requireAllowance(tx, { programId, userId });
  const largest = variants.at(-1);
  if (!largest) throw new Error('The image has no variant.');
  const id = tx.ids.uuid();
  const { width, height } = largest;
  await tx.db.insertInto('media').values({ programId, id, userId, width, height, createdAt: tx.clock.now() }).execute();
  await tx.db.insertInto('mediaAddresses').values({ mediaId: id, programId }).execute();
  const rows = variants.map(({ maxWidth, content }) => ({ programId, mediaId: id, maxWidth, content: Buffer.from(content) }));
  await tx.db.insertInto('mediaVariants').values(rows).execute();
  return { id, url: `${getPublicUrl(tx.config)}/media/${id}`, width, height };
}

type Uploader = { programId: string; userId: string };

async function requireAllowance({ db, clock }: Pick<Context, 'db' | 'clock'>, { programId, userId }: Uploader): Promise<void> {
  const since = new Date(clock.now().getTime() - 86_400_000);
  const media = db.selectFrom('media').select((count) => count.fn.countAll<string>().as('images'));
  const counted = media.where('programId', '=', programId);
  const { images } = await counted.where('userId', '=', userId).where('createdAt', '>', since).executeTakeFirstOrThrow();
  if (Number(images) < maxImagesPerDay) return;
  const message = 'You uploaded 100 images to this program within 24 hours. Try again later.';
  throw new ApiError(429, 'too_many_images', message, { retryAfterSeconds });
}
