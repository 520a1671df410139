// An affiliate's link as a QR code, for print and packaging.
import { z } from 'zod';
import { findDefaultHost } from '../../accounts/programs/hosts/default-host.ts';
import type { Context } from '../../context.ts';
import { affiliateSlot } from '../../partners/affiliates/affiliate.ts';
import { buildCodeUrl } from '../../partners/affiliates/links/link-url.ts';
import { Document, endpoint } from '../../platform/http/declaration/endpoint.ts';
import { wholeNumber } from '../../platform/http/declaration/fields.ts';

const options = { margin: 2, errorCorrectionLevel: 'M' as const };

export const QrQuery = z.object({
  format: z.enum(['json', 'svg', 'png']).default('json'),
  size: wholeNumber({ min: 64, max: 2048, fallback: 512 }).describe('The width and height of the image in pixels.'),
});

export const QrCode = z.object({ url: z.string(), svg: z.string() }).meta({
  id: 'AffiliateQr',
  example: { url: 'https://links.example/r/K7QM3XWP', svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"></svg>' },
});

export const affiliateQr = endpoint({
  id: 'affiliates.qr',
  route: 'GET /v1/programs/:programId/affiliates/:id/qr',
  scope: 'read',
  tag: 'Affiliates',
  summary: "Get an affiliate's link as a QR code",
  description:
    'Returns an SVG or PNG image, or JSON with the URL and the SVG. The URL contains the referral code, which never changes, so ' +
    'that printed codes remain valid.',
  path: { id: affiliateSlot },
  query: QrQuery,
  statuses: [200],
  result: QrCode,
  media: ['image/svg+xml', 'image/png'],
  heavy: true,
  handle: (ctx, { actor: { programId }, params, query }) => drawQr(ctx, { programId, affiliateId: params.id }, query),
});

/** The QR code of an affiliate's link as a file, or with its URL. */
export async function drawQr(
  ctx: Context,
  { programId, affiliateId }: { programId: string; affiliateId: string },
  { format, size }: z.output<typeof QrQuery>,
): Promise<Document | z.input<typeof QrCode>> {
  const { referralCode } = await ctx.db
    .selectFrom('affiliates')
    .select('referralCode')
    .where('programId', '=', programId)
    .where('id', '=', affiliateId)
    .executeTakeFirstOrThrow();
  const linkHost = await findDefaultHost(ctx, programId, 'links');
  const url = buildCodeUrl(ctx.config, { referralCode, linkHost });
  if (format === 'png')
    return new Document('image/png', await ctx.workers.run(import.meta.url, drawPng, { url, size }), `${referralCode}.png`);
  const { default: QRCode } = await import('qrcode');
  const svg = await QRCode.toString(url, { ...options, width: size, type: 'svg' });
  return format === 'svg' ? new Document('image/svg+xml', svg, `${referralCode}.svg`) : { url, svg };
}

/** Runs in a worker thread, because millions of pixels take a third of a second. */
export async function drawPng({ url, size }: { url: string; size: number }): Promise<Uint8Array> {
  const { default: QRCode } = await import('qrcode');
  return QRCode.toBuffer(url, { ...options, width: size, type: 'png' });
}
