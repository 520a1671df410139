// Where a browser is sent after signing in: a path of this service, never another site.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

const base = 'http://service.invalid';

/**
 * The requested path; without one, the console for members and the portal for users who are affiliates only. On the custom domain
 * of a program, its portal.
 */
export async function findNextPath(
  ctx: Pick<Context, 'db'>,
  { userId, siteProgramId }: { userId: string; siteProgramId: string | null },
  next: string | null | undefined,
): Promise<string> {
  const path = parseNextPath(next);
  if (siteProgramId !== null) return path?.startsWith('/portal') ? path : `/portal/${siteProgramId}`;
  return path ?? ((await isOnlyAffiliate(ctx, userId)) ? '/portal' : '/console');
}

async function isOnlyAffiliate({ db }: Pick<Context, 'db'>, userId: string): Promise<boolean> {
  const { rows } = await sql<{ isOnly: boolean }>`
    select exists (select 1 from person_programs where kind = 'account' and person = ${userId})
      and not exists (select 1 from person_programs where kind = 'member' and person = ${userId})
      and not exists (select 1 from organization_members where user_id = ${userId}) as is_only`.execute(db);
  return rows[0]?.isOnly ?? false;
}

/** The path if it belongs to this service; null otherwise. Browsers read `//host`, `/\host` and control characters differently. */
export function parseNextPath(next: string | null | undefined): string | null {
  if (!next || next.length > 1000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return null;
  const url = URL.parse(next, base);
  if (url?.origin !== base || url.pathname.startsWith('//') || /^\/(sign-in|enter|welcome|set-up)(\/|$)/.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}
