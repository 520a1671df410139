import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';

/** How long an image is kept that no page, draft, product or brand shows: the words around it may be unsaved. */
const unusedDays = 7;

/** Deletes images that were uploaded and replaced, or never used. Revisions are kept, and so are their images. */
export const deleteUnusedMedia = job<Record<string, never>>({
  name: 'media.deleteUnused',
  retries: 3,
  cron: '23 3 * * *',
  async run(ctx) {
    const before = new Date(ctx.clock.now().getTime() - unusedDays * 86_400_000);
    await forEachProgram(ctx, { run: (programId) => deleteUnused(ctx, programId, before) });
  },
});

/** In one transaction, so that an image and its address end together. */
function deleteUnused(ctx: Context, programId: string, before: Date): Promise<void> {
  return transact(ctx, async ({ db }) => {
    const { rows } = await sql<{ id: string }>`
    with addresses as (
      select unnest(array[avatar_url, hero_image_url]) as url from landing_page_revisions where program_id = ${programId}
      union all select unnest(array[content ->> 'avatarUrl', content ->> 'heroImageUrl']) from landing_page_drafts
        where program_id = ${programId}
      union all select logo_url from program_brands where program_id = ${programId}
      union all select image_url from products where program_id = ${programId}
    ), used as (
      select distinct substring(lower(url) from '/media/([0-9a-f-]{36})') as id from addresses where lower(url) like '%/media/%'
    )
    delete from media where program_id = ${programId} and created_at < ${before}
      and not exists (select 1 from used where used.id = media.id::text)
    returning id`.execute(db);
    const ids = rows.map(({ id }) => id);
    await sql`delete from media_addresses where program_id = ${programId} and media_id = any(${ids}::uuid[])`.execute(db);
  });
}
