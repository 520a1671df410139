// The brand on the sign-in pages: of the program whose custom domain serves them, or whose portal opens after the sign-in.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../../context.ts';
import { siteOf } from '../../../../platform/http/sites/site.ts';
import { toMediaPath } from '../../../../platform/lib/network/media-path.ts';
import { getPublicUrl } from '../../../../platform/lib/network/public-url.ts';
import { readBrand } from '../../../programs/brand/brand.ts';

/** `logoPath`: of an uploaded image. The policy of these pages forbids images of other servers. */
export type PageBrand = { name: string; logoPath: string | null };

const brands = new WeakMap<IncomingMessage, PageBrand>();
const portalForm = /^\/portal\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/;

/** Reads the brand of a page. `next`: the path that opens after the sign-in. */
export async function loadPageBrand(ctx: Pick<Context, 'db' | 'config'>, { raw }: FastifyRequest, next: string | null): Promise<void> {
  const programId = siteOf(raw)?.programId ?? portalForm.exec(next ?? '')?.[1];
  if (programId === undefined) return;
  const program = await ctx.db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirst();
  if (!program) return;
  const { logoUrl } = await readBrand(ctx, programId);
  brands.set(raw, { name: program.name, logoPath: logoUrl === null ? null : toMediaPath(logoUrl, getPublicUrl(ctx.config)) });
}

export const brandOf = ({ raw }: FastifyRequest): PageBrand | null => brands.get(raw) ?? null;
