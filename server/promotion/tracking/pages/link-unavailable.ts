// The page that a link redirects to when no website is known for it, or its program was deleted.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

export const unavailablePath = '/link-unavailable';

const style = `:root{color-scheme:light dark;--bg:#F6F8F5;--ink:#11211E;--ink2:#44554F}
@media (prefers-color-scheme:dark){:root{--bg:#0B1513;--ink:#E7F0ED;--ink2:#B2C4BE}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--ink);font:400 17px/27px Figtree,system-ui,sans-serif}
main{padding:40px 28px;max-width:460px;text-align:center}
h1{font-weight:600;font-size:clamp(26px,5vw,34px);line-height:1.15;letter-spacing:-.02em;margin:0 0 12px;text-wrap:balance}
p{margin:0;color:var(--ink2);text-wrap:balance}`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>Link not available</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>This link is not available</h1>
<p>Check the address, or try again later.</p>
</main>
</body>
</html>
`;

/** Registers the page on an instance without the headers of the API. */
export function serveUnavailablePage(app: FastifyInstance): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
  };
  app.get(unavailablePath, async (_request, reply) => reply.code(404).headers(headers).send(page));
}
