// The page that a link redirects to when no website is known for it.
import type { FastifyInstance } from 'fastify';

export const unavailablePath = '/link-unavailable';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Link not available</title>
</head>
<body>
<h1>This link is not available</h1>
<p>Check the address, or try again later.</p>
</body>
</html>
`;

/** Registers the page on an instance without the headers of the API. */
export function serveUnavailablePage(app: FastifyInstance): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  };
  app.get(unavailablePath, async (_request, reply) => reply.code(404).headers(headers).send(page));
}
