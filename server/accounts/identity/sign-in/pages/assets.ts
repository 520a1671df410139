// What the sign-in pages load: one inline style sheet, which the Content-Security-Policy allows by its hash, one script
// for passkeys, and two fonts. All of it comes from this server and doesn't depend on the build of the console.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

const readLines = (name: string): string[] => readFileSync(new URL(name, import.meta.url), 'utf8').split('\n');
const digest = (content: string | Buffer, encoding: 'base64' | 'base64url'): string =>
  createHash('sha256').update(content).digest(encoding);

/** The style sheet without optional white space. */
export const styleSheet = readLines('style.css')
  .join('')
  .replace(/\s*([{};:,])\s*/g, '$1')
  .replaceAll(';}', '}');

/** The script without comments and indentation. */
export const script = readLines('passkeys.js')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('//'))
  .join('\n');

const scriptVersion = digest(script, 'base64url').slice(0, 12);

/** The URL of the script. It changes with the script, so that browsers can cache it permanently. */
export const scriptPath = `/sign-in/passkeys-${scriptVersion}.js`;

/** Allows the style sheet, the script and the fonts, and nothing else: no frames, no other sites, no inline scripts. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${digest(styleSheet, 'base64')}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const fonts = {
  'figtree.woff2': '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  'instrument-serif-italic.woff2': '@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2',
};

const [permanently, forAWeek] = ['public, max-age=31536000, immutable', 'public, max-age=604800'];

/** Serves the script and the fonts. */
export function serveAssets(app: FastifyInstance): void {
  const { resolve } = createRequire(import.meta.url);
  app.get(scriptPath, async (_request, reply) =>
    reply.header('cache-control', permanently).type('text/javascript; charset=utf-8').send(script),
  );
  for (const [name, source] of Object.entries(fonts)) {
    const bytes = readFileSync(resolve(source));
    app.get(`/sign-in/fonts/${name}`, async (_request, reply) => reply.header('cache-control', forAWeek).type('font/woff2').send(bytes));
  }
}
