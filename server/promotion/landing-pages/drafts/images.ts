// Where the images of an affiliate's page may come from: uploads, which are encoded again, and the program's own hosts. The
// owner of any other host could replace an image after the page was approved, and would see every visitor's address.
import type { Context } from '../../../context.ts';
import { type Detail, Invalid } from '../../../platform/lib/errors.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { buildDestinations } from '../../tracking/destination.ts';
import { type DraftKey, readStart } from './draft.ts';

const imageFields = ['avatarUrl', 'heroImageUrl'] as const;
type Images = { [Field in (typeof imageFields)[number]]?: string | null | undefined };

/** Throws Invalid (400) for an image from another host, unless the current revision has it: the program may have set it. */
export async function requireAllowedImages(ctx: Pick<Context, 'db' | 'config'>, key: DraftKey, images: Images): Promise<void> {
  const given = imageFields.filter((field) => typeof images[field] === 'string');
  if (given.length === 0) return;
  const programs = ctx.db.selectFrom('programs').select(['websiteUrl', 'destinationHosts']).where('id', '=', key.programId);
  const { websiteUrl, destinationHosts } = await programs.executeTakeFirstOrThrow();
  const destinations = buildDestinations(websiteUrl, destinationHosts);
  const current: Images = await readStart(ctx, key);
  const faults = given.flatMap((field): Detail[] => {
    const url = URL.parse(images[field] ?? '');
    const isUpload = url?.origin === new URL(getPublicUrl(ctx.config)).origin && url.pathname.startsWith('/media/');
    if (isUpload || images[field] === current[field] || (url?.protocol === 'https:' && destinations.allows(url))) return [];
    return [{ path: [field], message: "must be an uploaded image, or one on the program's website" }];
  });
  if (faults.length > 0) throw new Invalid(faults);
}
