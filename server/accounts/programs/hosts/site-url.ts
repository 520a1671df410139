// The addresses of a program: on its host for a purpose, or on the installation.
import type { Context } from '../../../context.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { findDefaultHost } from './default-host.ts';

type Source = Pick<Context, 'db' | 'config'>;

/** What comes before the slug of a landing page in its address. */
export async function findStorefrontPrefix(ctx: Source, { id, slug }: { id: string; slug: string }): Promise<string> {
  const host = await findDefaultHost(ctx, id, 'storefronts');
  return host === null ? `${getPublicUrl(ctx.config)}/s/${slug}/` : `https://${host}/`;
}

/** The address of the program's portal. */
export async function findPortalUrl(ctx: Source, programId: string): Promise<string> {
  const host = await findDefaultHost(ctx, programId, 'portal');
  return `${host === null ? getPublicUrl(ctx.config) : `https://${host}`}/portal/${programId}`;
}
