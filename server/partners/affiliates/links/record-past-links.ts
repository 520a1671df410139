// Records names of links that affiliates had in another system. The first of an affiliate becomes their vanity slug; further ones
// only redirect to them. No event announces it.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { recordChanges } from '../../../platform/audit/record.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { takeSlugs } from './short-link.ts';

export type PastLink = { affiliateId: string; slug: string };

/** Takes the slugs, each named once. Throws Conflict (409) for one that is taken. */
export async function recordPastLinks(
  tx: Tx,
  { programId, actor }: { programId: string; actor: Actor },
  links: readonly PastLink[],
): Promise<void> {
  if (links.length === 0) return;
  const main = await findMain(tx, programId, links);
  await takeSlugs(tx, programId, links);
  await release(
    tx,
    programId,
    links.filter((link) => !main.includes(link)),
  );
  await setVanitySlugs(tx, programId, main);
  const changes = main.map(({ affiliateId, slug }) => {
    return { action: 'affiliate.updated' as const, subjectId: affiliateId, before: { vanitySlug: null }, after: { vanitySlug: slug } };
  });
  await recordChanges(tx, { programId, actor }, changes);
}

/** The first link of each affiliate who has no vanity slug. Their rows are locked. */
async function findMain(tx: Tx, programId: string, links: readonly PastLink[]): Promise<PastLink[]> {
  const ids = [...new Set(links.map(({ affiliateId }) => affiliateId))];
  const { rows } = await sql<{ id: string; vanitySlug: string | null }>`
    select id, vanity_slug from affiliates where program_id = ${programId} and id = any(${ids}::uuid[])
    order by id for no key update`.execute(tx.db);
  const without = new Set(rows.filter(({ vanitySlug }) => vanitySlug === null).map(({ id }) => id));
  return links.filter(({ affiliateId }) => without.delete(affiliateId));
}

async function release(tx: Tx, programId: string, links: readonly PastLink[]): Promise<void> {
  if (links.length === 0) return;
  await sql`
    update short_links set released_at = ${tx.clock.now()}
    where program_id = ${programId} and slug = any(${links.map(({ slug }) => slug)}::text[]) and kind = 'vanity'`.execute(tx.db);
}

async function setVanitySlugs(tx: Tx, programId: string, links: readonly PastLink[]): Promise<void> {
  if (links.length === 0) return;
  await sql`
    update affiliates as affiliate set vanity_slug = link.slug, updated_at = ${tx.clock.now()}
    from unnest(${links.map(({ affiliateId }) => affiliateId)}::uuid[], ${links.map(({ slug }) => slug)}::text[]) as link (id, slug)
    where affiliate.program_id = ${programId} and affiliate.id = link.id`.execute(tx.db);
}
