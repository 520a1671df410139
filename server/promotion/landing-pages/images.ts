// Where the portrait and the hero image of a page may come from: uploads, which are encoded again, and hosts of the program.
// The owner of any other host could replace an image after the page was approved, and would see every visitor's address.
import type { Context } from '../../context.ts';
import { type Detail, Invalid } from '../../platform/lib/errors.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import { buildDestinations } from '../tracking/destination.ts';

const imageFields = ['avatarUrl', 'heroImageUrl'] as const;
export type Images = { [Field in (typeof imageFields)[number]]?: string | null | undefined };
type Owner = { websiteUrl: string | null; destinationHosts: readonly string[]; imageHosts: readonly string[] };

/** Whether pages of the program load an image from this address. */
export function allowsImage(
  { config }: Pick<Context, 'config'>,
  { websiteUrl, destinationHosts, imageHosts }: Owner,
  address: string,
): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const isUpload = url.origin === new URL(getPublicUrl(config)).origin && url.pathname.startsWith('/media/');
  return isUpload || (url.protocol === 'https:' && buildDestinations(websiteUrl, [...destinationHosts, ...imageHosts]).allows(url));
}

/** The fields whose image pages of the program don't load. */
export async function findForeignImages(ctx: Pick<Context, 'db' | 'config'>, programId: string, images: Images) {
  const given = imageFields.filter((field) => typeof images[field] === 'string');
  if (given.length === 0) return [];
  const programs = ctx.db.selectFrom('programs').select(['websiteUrl', 'destinationHosts', 'imageHosts']).where('id', '=', programId);
  const owner = await programs.executeTakeFirstOrThrow();
  return given.filter((field) => !allowsImage(ctx, owner, images[field] ?? ''));
}

type Given = { programId: string; images: Images; current: Images };

/** Throws Invalid (400) for an image from another host, unless the current revision has it: the program may have set it. */
export async function requireAllowedImages(ctx: Pick<Context, 'db' | 'config'>, { programId, images, current }: Given): Promise<void> {
  const foreign = (await findForeignImages(ctx, programId, images)).filter((field) => images[field] !== current[field]);
  const message = "must be an uploaded image, or one on the program's website";
  if (foreign.length > 0) throw new Invalid(foreign.map((field): Detail => ({ path: [field], message })));
}

/** The contract accepts every address, so a write states which images its page will not show, and what to do. */
export async function describeForeignImages(
  ctx: Pick<Context, 'db' | 'config'>,
  programId: string,
  images: Images,
): Promise<string | null> {
  const foreign = await findForeignImages(ctx, programId, images);
  if (foreign.length === 0) return null;
  const fields = foreign.map((field) => `\`${field}\` (${URL.parse(images[field] ?? '')?.host ?? 'no host'})`);
  return `The page does not show ${fields.join(' and ')}: add the host to \`imageHosts\` of the program, or upload the image.`;
}
