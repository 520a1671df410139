// Everything that awaits a decision in any program of the signed-in user, as one queue, oldest first. A program's items keep
// their order, so those on a page are consecutive items of its own queue: only these are read in full.
import { z } from 'zod';
import { listMemberships } from '../../accounts/identity/members/list-programs.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { page, uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { listOf, oneOf, severalOf } from '../../platform/http/declaration/lists.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { readInEach } from '../programs/in-each-program.ts';
import { ReviewItem, ReviewKind } from './item.ts';
import { countItems, readAges, readItems } from './queue.ts';

/** Every program is asked for all items up to the end of the page. */
const deepest = 1000;

const ProgramReviewItem = ReviewItem.extend({ programId: uuidOut, programName: z.string() }).meta({
  id: 'ProgramReviewItem',
  example: Object.assign({ programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', programName: 'Fern & Field' }, exampleOf(ReviewItem)),
});

type Program = Awaited<ReturnType<typeof listMemberships>>[number];
type Paging = { kinds: readonly ReviewKind[]; limit: number; offset: number };

export const listReviewItemsOfAllPrograms = endpoint({
  id: 'programReviews.list',
  route: 'GET /app/review',
  scope: 'user',
  tag: 'User',
  summary: 'List what awaits a decision in all programs',
  description: 'Applications, pages, fraud alerts, claims and content for bounties in the programs of the signed-in user, oldest first.',
  query: z.object({ kind: oneOf(ReviewKind), programId: severalOf(uuid).describe('Only items of these programs.'), ...page }),
  statuses: [200],
  result: listOf('items', ProgramReviewItem, 'ProgramReviewItemList'),
  async handle(ctx, { actor, query: { kind: kinds = ReviewKind.options, programId: programIds, limit, offset } }) {
    if (offset > deepest) throw new Invalid([{ path: ['offset'], message: `must be at most ${deepest}` }]);
    const memberships = await listMemberships(ctx, actor.id);
    const programs = memberships.filter(({ id }) => programIds === undefined || programIds.includes(id));
    const totals = await readInEach(ctx, programs, (own, { id }) => countKinds(own, id, kinds));
    const total = totals.reduce((sum, each) => sum + each, 0);
    const busy = programs.filter((_, index) => (totals[index] ?? 0) > 0);
    return { items: total <= offset ? [] : await readPage(ctx, busy, { kinds, limit, offset }), total, limit, offset };
  },
});

async function countKinds(ctx: Context, programId: string, kinds: readonly ReviewKind[]): Promise<number> {
  const counts = await countItems(ctx, programId);
  return kinds.reduce((sum, kind) => sum + counts[kind], 0);
}

async function readPage(ctx: Context, programs: readonly Program[], { kinds, limit, offset }: Paging) {
  const upToEnd = { kinds, limit: offset + limit, offset: 0 };
  const ages = await readInEach(ctx, programs, async (own, { id: programId }) =>
    (await readAges(own, programId, upToEnd)).map(({ since }) => ({ since, programId })),
  );
  // Sorting is stable: items of the same millisecond keep the order of the programs, and of the program's own queue.
  const ordered = ages.flat().toSorted((one, other) => one.since.getTime() - other.since.getTime());
  const onPage = ordered.slice(offset, offset + limit);
  const shown = programs.filter(({ id }) => onPage.some(({ programId }) => programId === id));
  const items = await readInEach(ctx, shown, async (own, { id: programId, name: programName }) => {
    const isIts = (age: { programId: string }) => age.programId === programId;
    const span = { limit: onPage.filter(isIts).length, offset: ordered.slice(0, offset).filter(isIts).length };
    return (await readItems(own, programId, { kinds, ...span })).map((item) => ({ ...item, programId, programName }));
  });
  return items.flat().toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since));
}
