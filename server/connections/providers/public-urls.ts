// The URLs in settings are checked when they are stored, not only when they are called: a payment must not be the first to fail.
import type { Context } from '../../context.ts';
import { Invalid } from '../../platform/lib/errors.ts';

/** Throws Invalid (400) for a URL that would be blocked when it is called. Returns the body. */
export async function requirePublicUrls<Body extends { config?: Record<string, unknown> | undefined }>(
  ctx: Context,
  body: Body,
): Promise<Body> {
  const urls = Object.entries(body.config ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value) ? [{ name, value }] : [],
  );
  const faults = await Promise.all(urls.map(async ({ name, value }) => ({ path: ['config', name], message: await ctx.checkUrl(value) })));
  const details = faults.flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (details.length > 0) throw new Invalid(details);
  return body;
}
