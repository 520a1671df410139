// Who decided on pages, and who wrote their revisions.
import { sql } from 'kysely';
import { z } from 'zod';
import { findActorNames } from '../../../accounts/programs/actor-names.ts';
import type { Context } from '../../../context.ts';
import { NamedActor } from '../../../platform/http/declaration/actor-shape.ts';
import { countOut, timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { PageVerdict } from './decide.ts';

export const PageDecision = z
  .object({
    reviewId: uuidOut,
    revision: countOut,
    verdict: PageVerdict,
    note: z.string().nullable(),
    fields: z.array(z.string()).describe('The fields that must change.'),
    decidedBy: NamedActor,
    decidedAt: timestampOut,
  })
  .meta({
    id: 'PageDecision',
    example: {
      reviewId: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      revision: 4,
      verdict: 'approved',
      note: null,
      fields: [],
      decidedBy: { kind: 'user', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14', name: 'Dana Calder' },
      decidedAt: '2026-11-20T09:00:00.000Z',
    },
  });
export type PageDecision = z.input<typeof PageDecision>;

type Owner = { programId: string; pageIds: readonly string[] };

/** The decisions on these pages that were not undone, newest first. */
export async function findDecisions(
  ctx: Pick<Context, 'db'>,
  { programId, pageIds }: Owner,
  which: 'latest' | 'all',
): Promise<(PageDecision & { pageId: string })[]> {
  if (pageIds.length === 0) return [];
  let reviews = ctx.db
    .selectFrom('landingPageReviews')
    .selectAll()
    .where('programId', '=', programId)
    .where('pageId', 'in', pageIds)
    .where('undoneAt', 'is', null);
  if (which === 'latest') reviews = reviews.distinctOn('pageId').orderBy('pageId');
  const rows = await reviews.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();
  const nameOf = await findActorNames(ctx, programId, rows.map(toActor));
  return rows.map((row) => ({
    pageId: row.pageId,
    reviewId: row.id,
    revision: row.revision,
    verdict: PageVerdict.parse(row.verdict),
    note: row.note,
    fields: row.fields,
    decidedBy: nameOf(toActor(row)),
    decidedAt: row.createdAt.toISOString(),
  }));
}

const toActor = ({ actorKind, actorId }: { actorKind: string; actorId: string }) => ({ kind: actorKind, id: actorId });

type Written = { revision: number; actorKind: string; actorId: string };

/** Who wrote the revisions of a page, by number. The audit log of the page records it. */
export async function findAuthors(ctx: Pick<Context, 'db'>, programId: string, pageId: string) {
  const { rows } = await sql<Written>`
    select (after ->> 'revision')::int as revision, actor_kind, actor_id from audit_log
    where program_id = ${programId} and subject_id = ${pageId} and action in ('landing_page.created', 'landing_page.written')`.execute(
    ctx.db,
  );
  const nameOf = await findActorNames(ctx, programId, rows.map(toActor));
  return new Map(rows.map((row) => [row.revision, nameOf(toActor(row))]));
}
