import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { drawQr, QrCode, QrQuery } from '../../promotion/tracking/qr.ts';

export const getPortalQr = endpoint({
  id: 'portal.qr',
  route: 'GET /app/portal/:programId/qr',
  scope: 'embed',
  tag: 'Portal',
  summary: "Get the affiliate's link as a QR code",
  description: 'The URL contains the referral code, which never changes, so that printed codes remain valid.',
  query: QrQuery,
  statuses: [200],
  result: QrCode,
  media: ['image/svg+xml', 'image/png'],
  handle: (ctx, { actor, query }) => drawQr(ctx, actor, query),
});
