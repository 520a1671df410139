// Valid requests for the review queue and the review of landing pages.
import assert from 'node:assert/strict';
import { anAffiliate } from '../builders.ts';
import type { TestMember, TestProgram, TestService } from '../harness.ts';

type ReviewIds = { page: string; review: string; claim: string; decision: string };

/** Two pages of the program, and a review of one of them. */
export async function reviewRows(service: TestService, program: TestProgram, member: TestMember): Promise<ReviewIds> {
  const [page, reviewed] = ['sampled-page', 'reviewed-page'];
  for (const slug of [page, reviewed]) {
    const content = { affiliateId: (await anAffiliate(service, {}, program)).id, pageTitle: 'Mine' };
    const written = await service.request('POST', `${program.path}/landing-pages/${slug}`, { key: program.key, body: content });
    assert.equal(written.status, 201, written.text);
  }
  const path = `/app/programs/${program.programId}/landing-pages/${reviewed}/review`;
  const answer = await member.request('POST', path, { body: { revision: 1, verdict: 'approved' } });
  assert.equal(answer.status, 200, answer.text);
  const claims = await Promise.all(
    ['undecided', 'decided'].map(async (orderId) => {
      const { id: affiliateId } = await anAffiliate(service, { status: 'active' }, program);
      const claim = { affiliateId, orderId: `${orderId}-${affiliateId}` };
      return (await service.request('POST', `${program.path}/claims`, { key: program.key, body: claim })).body.id as string;
    }),
  );
  const [claim = '', decided = ''] = claims;
  const decide = `/app/programs/${program.programId}/claims/${decided}/decide`;
  const decision = await member.request('POST', decide, { body: { decision: 'rejected' } });
  assert.equal(decision.status, 200, decision.text);
  return { page, review: String(answer.body.reviewId), claim, decision: String(decision.body.id) };
}

/** The same rows, by the part of the path that names them. */
export function reviewRowsByNoun({ review, decision }: ReviewIds): Record<string, string> {
  return { 'landing-page-reviews': review, 'pending-decisions': decision };
}

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

export function reviewSamples(serial: number, { page, review, claim, decision }: ReviewIds): Record<string, Sample> {
  const verdict = serial % 2 ? 'changes_requested' : 'approved';
  return {
    'review.counts': [{}, undefined],
    'landingPages.revisions': [{ slug: page }, undefined],
    'landingPages.revision': [{ slug: page, revision: '1' }, undefined],
    'landingPages.publish': [{ slug: page }, { isPublished: false }],
    'landingPages.review': [{ slug: page }, { revision: 1, verdict, note: 'N', fields: ['headline'] }],
    'landingPages.previewReview': [{ slug: page }, { verdict, note: 'N' }],
    'landingPageReviews.undo': [{ id: review }, undefined],
    'claims.decideLater': [{ id: claim }, { decision: 'rejected', note: 'N' }],
    'pendingDecisions.undo': [{ id: decision }, undefined],
  };
}
