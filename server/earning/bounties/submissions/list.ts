// Lists of submissions, and reading one.
import { z } from 'zod';
import { findAffiliateReferences } from '../../../partners/affiliates/reference.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { uuid } from '../../../platform/http/declaration/fields.ts';
import { cursorPage } from '../../../platform/http/declaration/list-cursor.ts';
import { cursorListOf, expandable, findPage, oneOf, sortBy, timeRange, withinRange } from '../../../platform/http/declaration/lists.ts';
import { SubmissionShape, SubmissionStatus, submissionSlot, toSubmission } from './submission.ts';

export const listSubmissions = endpoint({
  id: 'bountySubmissions.list',
  route: 'GET /v1/programs/:programId/bounty-submissions',
  scope: 'read',
  tag: 'Bounties',
  summary: 'List submissions',
  query: z.object({
    status: oneOf(SubmissionStatus),
    bountyId: uuid.optional(),
    affiliateId: uuid.optional(),
    ...timeRange('created'),
    ...cursorPage,
    sort: sortBy('createdAt'),
    expand: expandable('affiliate'),
  }),
  statuses: [200],
  result: cursorListOf('bountySubmissions', SubmissionShape, 'BountySubmissionList'),
  async handle(ctx, { actor: { programId }, query }) {
    const { status, bountyId, affiliateId, createdFrom, createdTo, limit, offset, expand } = query;
    let submissions = ctx.db.selectFrom('bountySubmissions').where('programId', '=', programId);
    if (status) submissions = submissions.where('status', 'in', status);
    if (bountyId) submissions = submissions.where('bountyId', '=', bountyId);
    if (affiliateId) submissions = submissions.where('affiliateId', '=', affiliateId);
    submissions = submissions.where(withinRange('createdAt', createdFrom, createdTo));
    const { rows, total, nextCursor } = await findPage(submissions, query, (found) => found.selectAll());
    const expanded = expand.has('affiliate') ? rows.map((row) => row.affiliateId) : [];
    const affiliates = await findAffiliateReferences(ctx, programId, expanded);
    const bountySubmissions = rows.map((row) => ({ ...toSubmission(row), affiliate: affiliates.get(row.affiliateId) }));
    return { bountySubmissions, total, limit, offset, nextCursor };
  },
});

export const getSubmission = endpoint({
  id: 'bountySubmissions.get',
  route: 'GET /v1/programs/:programId/bounty-submissions/:id',
  scope: 'read',
  tag: 'Bounties',
  summary: 'Get a submission',
  path: { id: submissionSlot },
  query: z.object({ expand: expandable('affiliate') }),
  statuses: [200],
  result: SubmissionShape,
  async handle(ctx, { actor: { programId }, params: { id }, query: { expand } }) {
    const submissions = ctx.db.selectFrom('bountySubmissions').selectAll().where('programId', '=', programId);
    const row = await submissions.where('id', '=', id).executeTakeFirstOrThrow();
    const affiliates = await findAffiliateReferences(ctx, programId, expand.has('affiliate') ? [row.affiliateId] : []);
    return { ...toSubmission(row), affiliate: affiliates.get(row.affiliateId) };
  },
});
