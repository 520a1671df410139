// The review queue contains what awaits a decision, oldest first, with its risks; what is decided disappears.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aPage, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { findApplicationRisks, findClaimRisks, findPageRisks } from './risks.ts';

describe('the review queue', () => {
  let service: TestService;
  let dana: TestMember;
  let base: string;

  before(async () => {
    service = await openTestService();
    dana = await service.asMember('reviewer');
    base = `/app/programs/${service.program.programId}`;
    await aRule(service, { rate: 10 });
    const ada = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist', email: 'ada@example.com' });
    const later = () => service.clock.advance({ minutes: 1 });
    later();
    const links = [{ label: 'Shop', url: 'https://other.example/x' }];
    await aPage(service, ada.id, 'ada', { pageTitle: 'Calm evenings', bioText: 'A cure', links });
    await service.pool.query(`insert into program_brands (program_id, restricted_phrases, updated_at) values ($1, '{cure}', now())`, [
      service.program.programId,
    ]);
    later();
    await anAffiliate(service, { firstName: 'Noor', lastName: 'Haddad', email: 'noor@mailinator.com', autoApprove: false });
    later();
    await anOrder(service, { orderId: 'FF-1', affiliateId: ada.id, amountCents: 10_000, customer: { email: 'ada@example.com' } });
    later();
    await service.request('POST', `${service.program.path}/claims`, { body: { affiliateId: ada.id, orderId: 'FF-404', note: 'Mine' } });
    later();
    const terms = { name: 'Video review', description: 'Film it.', milestone: 'content', rewardCents: 2500 };
    const bounty = await service.request('POST', `${service.program.path}/bounties`, { body: terms });
    const content = { bountyId: bounty.body.id, affiliateId: ada.id, url: 'https://video.example.com/1' };
    await service.request('POST', `${service.program.path}/bounty-submissions`, { body: content });
  });
  after(() => service.close());

  const read = async (query = '') => (await dana.request('GET', `${base}/review${query}`)).body;

  test('lists all kinds, oldest first, with risks and amounts', async () => {
    const { items, total } = await read();
    assert.equal(total, 5);
    assert.deepEqual(
      items.map((item: Record<string, never>) => [item.kind, item.title, item.affiliateName, item.amountCents]),
      [
        ['page', 'Calm evenings', 'Ada Lindqvist', null],
        ['application', 'Noor Haddad', 'Noor Haddad', null],
        ['fraud_alert', 'FF-1', 'Ada Lindqvist', 1000],
        ['claim', 'FF-404', 'Ada Lindqvist', null],
        ['bounty_submission', 'Video review', 'Ada Lindqvist', 2500],
      ],
    );
    assert.deepEqual(
      items.map(({ risks }: { risks: object[] }) => risks),
      [
        [
          { kind: 'restricted_phrase', detail: 'cure' },
          { kind: 'new_address', detail: 'other.example' },
        ],
        [{ kind: 'disposable_email', detail: 'mailinator.com' }],
        [{ kind: 'self_referral', detail: null }],
        [{ kind: 'unknown_order', detail: null }],
        [],
      ],
    );
    assert.deepEqual([items[0].slug, items[0].isNew, items[1].slug], ['ada', true, null]);
  });

  test('invited people are listed once they have accepted, and not as applications', async () => {
    const invited = { firstName: 'Mei', lastName: 'Tanaka', email: 'mei@example.com', autoApprove: false, sendInvite: true };
    const { id } = await anAffiliate(service, invited);
    const before = await read();
    assert.equal(before.total, 5);
    assert.equal((await dana.request('GET', `${base}/review/counts`)).body.application, 1);
    await service.asAffiliate({ id, email: 'mei@example.com' });
    const { items, total } = await read();
    assert.equal(total, 6);
    assert.deepEqual(
      items
        .filter(({ kind }: { kind: string }) => kind === 'application')
        .map(({ title, isInvited }: Record<string, unknown>) => [title, isInvited]),
      [
        ['Noor Haddad', false],
        ['Mei Tanaka', true],
      ],
    );
    assert.equal((await dana.request('GET', `${base}/review/counts`)).body.application, 2);
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status: 'archived' } });
  });

  test('pages and filters agree with the counts', async () => {
    const all = (await read()).items;
    const paged = [];
    for (let offset = 0; offset < 5; offset += 1) paged.push(...(await read(`?limit=1&offset=${offset}`)).items);
    assert.deepEqual(paged, all);
    const counts = (await dana.request('GET', `${base}/review/counts`)).body;
    assert.deepEqual(counts, { application: 1, page: 1, fraud_alert: 1, claim: 1, bounty_submission: 1 });
    for (const kind of Object.keys(counts)) {
      const { items, total } = await read(`?kind=${kind}`);
      assert.deepEqual([total, items.map((item: { kind: string }) => item.kind)], [1, [kind]]);
    }
    assert.equal((await read('?kind=page&kind=claim')).total, 2);
  });

  test('what is decided disappears, and an undone decision returns to its place', async () => {
    const before = (await read()).items;
    const { body } = await dana.request('POST', `${base}/landing-pages/ada/review`, { body: { revision: 1, verdict: 'approved' } });
    const [, application] = before;
    await dana.request('POST', `${base}/affiliates/${application.id}/decide`, { body: { decision: 'approve' } });
    assert.deepEqual(
      (await read()).items.map(({ kind }: { kind: string }) => kind),
      ['fraud_alert', 'claim', 'bounty_submission'],
    );
    await dana.request('POST', `${base}/landing-page-reviews/${body.reviewId}/undo`);
    assert.deepEqual((await read()).items[0], before[0]);
  });
});

test('risks state what to look at twice', () => {
  assert.deepEqual(findApplicationRisks({ email: 'a@example.com' }), []);
  const links = ['https://a.example/1', 'https://b.example/2', 'https://b.example/3'];
  const pageRisks = findPageRisks({ phrases: [], links, approvedLinks: ['https://a.example/0'] });
  assert.deepEqual(pageRisks, [{ kind: 'new_address', detail: 'b.example' }]);
  const claim = { match: 'unattributed_order', clicksBefore: 0, hasSignal: false };
  assert.deepEqual(findClaimRisks(claim), [{ kind: 'no_clicks', detail: null }]);
  assert.deepEqual(findClaimRisks({ ...claim, clicksBefore: 2 }), []);
});
