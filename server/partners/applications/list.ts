// Lists of confirmed applications, and reading one. What was never confirmed is not shown to members: it may contain the
// address of a person who did not send it.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { cursorPage } from '../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, findPage, oneOf, sortBy, timeRange, withinRange } from '../../platform/http/declaration/lists.ts';
import { ApplicationShape, Outcome, selectRecruiter, toApplication } from './application.ts';

const applicationSlot = {
  ...idSlot('applications', 'The id of the application.'),
  exists: async (ctx: Context, programId: string, id: string) => {
    const applications = ctx.db.selectFrom('applications').select('id').where('programId', '=', programId).where('id', '=', id);
    return (await applications.where('confirmedAt', 'is not', null).executeTakeFirst()) !== undefined;
  },
};

export const listApplications = endpoint({
  id: 'applications.list',
  route: 'GET /app/programs/:programId/applications',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'List applications',
  description: 'What applicants sent with the join form, once they have confirmed their address. An affiliate can apply several times.',
  query: z.object({
    affiliateId: uuid.optional(),
    outcome: oneOf(Outcome),
    ...timeRange('confirmed'),
    ...cursorPage,
    sort: sortBy('confirmedAt'),
  }),
  statuses: [200],
  result: cursorListOf('applications', ApplicationShape, 'ApplicationList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { affiliateId, outcome, confirmedFrom, confirmedTo, limit, offset } = query;
    let applications = ctx.db.selectFrom('applications').where('programId', '=', programId).where('confirmedAt', 'is not', null);
    if (affiliateId) applications = applications.where('affiliateId', '=', affiliateId);
    if (outcome) applications = applications.where('outcome', 'in', outcome);
    applications = applications.where(withinRange('confirmedAt', confirmedFrom, confirmedTo));
    const { rows, total, nextCursor } = await findPage(applications, query, (found) =>
      found.selectAll().select(selectRecruiter(programId)),
    );
    return { applications: rows.map(toApplication), total, limit, offset, nextCursor };
  },
});

export const getApplication = endpoint({
  id: 'applications.get',
  route: 'GET /app/programs/:programId/applications/:id',
  scope: 'read',
  isUserOnly: true,
  tag: 'Affiliate table',
  summary: 'Get an application',
  path: { id: applicationSlot },
  statuses: [200],
  result: ApplicationShape,
  async handle(ctx, { actor: { programId }, params: { id } }) {
    const applications = ctx.db
      .selectFrom('applications')
      .selectAll()
      .select(selectRecruiter(programId))
      .where('programId', '=', programId);
    return toApplication(await applications.where('id', '=', id).executeTakeFirstOrThrow());
  },
});
