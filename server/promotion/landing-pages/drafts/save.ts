// Saving and discarding the draft. Each write names the version that it is based on, so that two windows don't overwrite
// each other; one statement decides.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import { requireAllowedImages } from '../images.ts';
import { DraftChanges, type DraftKey, draftExample, draftingStatuses, outdatedDraft, readStart } from './draft.ts';

export const versionField = z
  .int('must be the version of the draft that was read')
  .min(0)
  .max(2_147_483_646)
  .describe('The version of the draft that was read.');

const SavedDraft = z
  .object({ version: z.int(), savedAt: timestampOut.nullable() })
  .meta({ id: 'SavedPageDraft', example: { version: 7, savedAt: '2026-11-21T14:02:11.000Z' } });

export const outdatedError = {
  status: 412,
  code: 'draft_outdated',
  when: 'The draft has another version; `version` is the current one.',
  facts: z.object({ version: z.int() }),
} as const;

export const savePageDraft = endpoint({
  id: 'portalPage.save',
  route: 'PATCH /app/portal/:programId/page',
  scope: 'affiliate',
  affiliateStatuses: draftingStatuses,
  tag: 'Portal',
  summary: 'Save the private draft of your page',
  description: 'Omitted fields keep their value. Only the affiliate sees the draft before it is submitted.',
  body: DraftChanges.extend({ version: versionField }).meta({
    id: 'PageDraftUpdate',
    example: { version: 6, headline: draftExample.headline },
  }),
  bodyLimitBytes: 256 * 1024,
  statuses: [200],
  result: SavedDraft,
  errors: [outdatedError],
  async handle(ctx, { actor, body: { version, ...changes } }) {
    const savedAt = ctx.clock.now().toISOString();
    return { version: await transact(ctx, (tx) => saveChanges(tx, actor, { version, changes })), savedAt };
  },
});

export const discardPageDraft = endpoint({
  id: 'portalPage.discard',
  route: 'DELETE /app/portal/:programId/page/draft',
  scope: 'affiliate',
  affiliateStatuses: draftingStatuses,
  tag: 'Portal',
  summary: 'Discard the private draft of your page',
  description: 'The page itself does not change. The draft starts from its current revision again.',
  statuses: [200],
  result: SavedDraft,
  async handle(ctx, { actor }) {
    await transact(ctx, (tx) => clearDraft(tx, actor));
    const draft = await readVersion(ctx, actor);
    return { version: draft, savedAt: null };
  },
});

type Save = { version: number; changes: z.output<typeof DraftChanges> };

async function saveChanges(tx: Tx, key: DraftKey, { version, changes }: Save): Promise<number> {
  const { programId, affiliateId } = key;
  await requireAllowedImages(tx, { programId: key.programId, images: changes, current: await readStart(tx, key) });
  const content = JSON.stringify(changes);
  const now = tx.clock.now();
  const { rows } =
    version === 0
      ? await sql<{ version: number }>`
          insert into landing_page_drafts (program_id, affiliate_id, version, content, updated_at)
          values (${programId}, ${affiliateId}, 1, ${content}::jsonb, ${now})
          on conflict do nothing returning version`.execute(tx.db)
      : await sql<{ version: number }>`
          update landing_page_drafts set content = content || ${content}::jsonb, version = version + 1, updated_at = ${now}
          where program_id = ${programId} and affiliate_id = ${affiliateId} and version = ${version}
          returning version`.execute(tx.db);
  const [saved] = rows;
  if (!saved) throw outdatedDraft(await readVersion(tx, key));
  return saved.version;
}

/** Empties the draft. Its version keeps growing, so that a window with the old content can't save it again. */
export async function clearDraft(tx: Tx, { programId, affiliateId }: DraftKey): Promise<void> {
  await sql`
    update landing_page_drafts set content = '{}', version = version + 1, updated_at = ${tx.clock.now()}
    where program_id = ${programId} and affiliate_id = ${affiliateId}`.execute(tx.db);
}

async function readVersion({ db }: Pick<Context, 'db'>, { programId, affiliateId }: DraftKey): Promise<number> {
  const drafts = db.selectFrom('landingPageDrafts').select('version').where('programId', '=', programId);
  return (await drafts.where('affiliateId', '=', affiliateId).executeTakeFirst())?.version ?? 0;
}
