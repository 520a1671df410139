// Reviewing pages in the console: exactly the revision that was shown is decided, the email waits a minute, undo restores
// everything. REVIEW_RACES sets the number of writes that race with approvals.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aPage } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { often } from '../../../../test/support/time/length.ts';
import { until } from '../../../../test/support/time/wait.ts';
import { findPhrases } from './restricted-phrases.ts';

const races = often(60);

describe('the review of a page', () => {
  let service: TestService;
  let dana: TestMember;
  let base: string;
  before(async () => {
    service = await openTestService();
    dana = await service.asMember('reviewer', { name: 'Dana Calder' });
    base = `/app/programs/${service.program.programId}`;
  });
  after(() => service.close());

  async function aWrittenPage(slug: string, content: Record<string, unknown> = {}) {
    const affiliate = await anAffiliate(service, { status: 'active', firstName: 'Ada', lastName: 'Lindqvist' });
    await aPage(service, affiliate.id, slug, { isPublished: true, ...content });
    await service.drain();
    service.mails.length = 0;
    return affiliate;
  }
  const rewrite = async (affiliateId: string, slug: string, content: object) => {
    const body = { affiliateId, pageTitle: 'My favourites', ...content };
    assert.equal((await service.request('POST', `${service.program.path}/landing-pages/${slug}`, { body })).status, 200);
  };
  const review = (slug: string, body: Record<string, unknown>, member = dana) =>
    member.request('POST', `${base}/landing-pages/${slug}/review`, { body });
  const undo = (id: string) => dana.request('POST', `${base}/landing-page-reviews/${id}/undo`);
  const readPage = async (slug: string) => (await service.request('GET', `${service.program.path}/landing-pages/${slug}`)).body;

  test('approves the revision that was shown, and sends the address of the storefront a minute later', async () => {
    const { email } = await aWrittenPage('approved-page');
    const { status, body } = await review('approved-page', { revision: 1, verdict: 'approved', seenStatus: 'draft' });
    assert.equal(status, 200);
    assert.deepEqual([body.reviewStatus, body.isLive, body.revision], ['approved', true, 1]);
    await service.drain();
    assert.equal(service.mails.length, 0, 'nothing is sent while the review can be undone');
    service.clock.advance({ minutes: 2 });
    await runDelayed();
    assert.deepEqual(
      service.mails.map(({ to, subject }) => [to, subject]),
      [[email, 'Your page is live']],
    );
    assert.match(service.mails[0]?.text ?? '', /\/s\/fern-field\/approved-page/);
  });

  test('takes a live page offline, keeps its approval, and puts it online again', async () => {
    await aWrittenPage('publish-page');
    await review('publish-page', { revision: 1, verdict: 'approved' });
    const publish = (isPublished: boolean, member = dana) =>
      member.request('PATCH', `${base}/landing-pages/publish-page`, { body: { isPublished } });
    const storefront = async () => (await service.request('GET', '/s/fern-field/publish-page', {})).status;
    assert.equal(await storefront(), 200);
    const { status, body } = await publish(false);
    assert.deepEqual(
      [status, body],
      [200, { slug: 'publish-page', revision: 1, reviewStatus: 'approved', isPublished: false, isLive: false }],
    );
    assert.equal(await storefront(), 404);
    assert.equal((await publish(false)).status, 200, 'a repetition changes nothing');
    assert.deepEqual([(await publish(true)).body.isLive, await storefront()], [true, 200]);
    const { rows } = await service.pool.query(
      `select action from audit_log join landing_pages as page on page.id = subject_id where slug = 'publish-page' order by audit_log.created_at, audit_log.id`,
    );
    const changes = ['landing_page.created', 'landing_page.approved', 'landing_page.unpublished', 'landing_page.published'];
    assert.deepEqual(
      rows.map(({ action }) => action),
      changes,
    );
    const readEvents = async () => (await service.request('GET', `${service.program.path}/events?type=landingPage.updated`)).body.events;
    // An event is listed when every transaction of the server that began before it has ended.
    await until('both events are listed', async () => (await readEvents()).length === 2);
    assert.deepEqual((await readEvents()).map(({ data }: { data: { isLive: boolean } }) => data.isLive).sort(), [false, true]);
    const viewer = await service.asMember('viewer', { name: 'Vera' });
    assert.equal((await publish(false, viewer)).status, 403);
    service.clock.advance({ minutes: 2 });
    await runDelayed();
  });

  test('requests changes with a note, which it requires and emails', async () => {
    await aWrittenPage('changes-page');
    const missing = await review('changes-page', { revision: 1, verdict: 'changes_requested' });
    assert.deepEqual([missing.status, missing.body.details[0].path], [400, ['note']]);
    const note = 'Say <b>may help</b>.\nDon’t promise a cure.';
    const { status } = await review('changes-page', { revision: 1, verdict: 'changes_requested', note, fields: ['bioText'] });
    assert.equal(status, 200);
    assert.equal((await readPage('changes-page')).reviewStatus, 'changes_requested');
    const { rows } = await service.pool.query(`select * from emails where kind = 'page_review' order by created_at desc limit 1`);
    assert.equal(rows[0].subject, 'Fern & Field requested changes to your page');
    assert.match(rows[0].html_body, /Say &lt;b&gt;may help&lt;\/b&gt;\./);
    assert.match(rows[0].text_body, /Don’t promise a cure\./);
    const { body } = await dana.request('GET', `${base}/landing-pages?reviewStatus=changes_requested&search=changes`);
    const { decision, affiliateName } = body.landingPages[0];
    assert.deepEqual(
      [body.total, affiliateName, decision.verdict, decision.note, decision.fields, decision.decidedBy.name],
      [1, 'Ada Lindqvist', 'changes_requested', note, ['bioText'], 'Dana Calder'],
    );
  });

  test('decides nothing when the page was written since, or decided by another member', async () => {
    const { id } = await aWrittenPage('stale-page');
    await rewrite(id, 'stale-page', { bioText: 'Cures insomnia', isPublished: true });
    const stale = await review('stale-page', { revision: 1, verdict: 'approved' });
    assert.deepEqual([stale.status, stale.body.code, stale.body.revision], [412, 'stale_revision', 2]);
    const tom = await service.asMember('reviewer', { name: 'Tom Ruiz' });
    await review('stale-page', { revision: 2, verdict: 'changes_requested', note: 'No.' }, tom);
    const late = await review('stale-page', { revision: 2, verdict: 'approved', seenStatus: 'draft' });
    assert.deepEqual([late.status, late.body.code, late.body.reviewStatus], [412, 'already_reviewed', 'changes_requested']);
    assert.equal((await readPage('stale-page')).isLive, false);
    const again = await review('stale-page', { revision: 2, verdict: 'changes_requested', note: 'No.' });
    assert.deepEqual([again.status, again.body.code], [422, 'nothing_to_change']);
  });

  test('is undone for a minute: the status, the approved revision and the email', async () => {
    const { id } = await aWrittenPage('undone-page');
    await review('undone-page', { revision: 1, verdict: 'approved' });
    await rewrite(id, 'undone-page', { headline: 'New', isPublished: true });
    const before = await row('undone-page');
    const { body } = await review('undone-page', { revision: 2, verdict: 'approved' });
    const undone = await undo(body.reviewId);
    assert.deepEqual([undone.status, undone.body.reviewStatus], [200, 'draft']);
    assert.deepEqual(await row('undone-page'), before);
    const { rows } = await service.pool.query(
      `select email.status from emails as email join landing_page_reviews as review on review.audit_id = email.audit_id where review.id = $1`,
      [body.reviewId],
    );
    assert.deepEqual(rows, [{ status: 'cancelled' }]);
    assert.equal((await undo(body.reviewId)).status, 422);
  });

  test('is not undone after a minute, nor when the page was written or reviewed again', async () => {
    const { id } = await aWrittenPage('too-late');
    const first = await review('too-late', { revision: 1, verdict: 'changes_requested', note: 'N' });
    const second = await review('too-late', { revision: 1, verdict: 'approved' });
    assert.equal((await undo(first.body.reviewId)).body.code, 'page_changed');
    await rewrite(id, 'too-late', { headline: 'New' });
    assert.equal((await undo(second.body.reviewId)).body.code, 'page_changed');
    const third = await review('too-late', { revision: 2, verdict: 'approved' });
    service.clock.advance({ seconds: 61 });
    assert.equal((await undo(third.body.reviewId)).body.code, 'undo_expired');
    assert.equal((await readPage('too-late')).reviewStatus, 'approved');
  });

  test('previews the email without sending or deciding anything', async () => {
    const { email } = await aWrittenPage('previewed');
    const body = { verdict: 'changes_requested', note: 'Please add a photo.' };
    const preview = await dana.request('POST', `${base}/landing-pages/previewed/review/preview`, { body });
    assert.deepEqual([preview.status, preview.body.to], [200, email]);
    assert.match(preview.body.text, /Please add a photo\./);
    assert.match(preview.body.html, /Please add a photo\./);
    const { rows } = await service.pool.query(`select 1 from emails where to_address = $1 and kind = 'page_review'`, [email]);
    assert.deepEqual([rows.length, (await readPage('previewed')).reviewStatus], [0, 'draft']);
  });

  test('lists revisions with who wrote and who decided, and the restricted phrases of each', async () => {
    const { id } = await aWrittenPage('revised', { bioText: 'Tea for calm evenings' });
    await service.pool.query(
      `insert into program_brands (program_id, restricted_phrases, updated_at) values ($1, '{cure,"clinically  proven"}', now())`,
      [service.program.programId],
    );
    await review('revised', { revision: 1, verdict: 'approved' });
    await rewrite(id, 'revised', { bioText: 'They CURE insomnia. Clinically\nproven!', headline: 'Secure' });
    const { body } = await dana.request('GET', `${base}/landing-pages/revised/revisions`);
    assert.deepEqual(
      body.revisions.map((each: Record<string, never>) => [
        each.revision,
        each.isCurrent,
        each.isApproved,
        actorOf(each),
        decisionOf(each),
      ]),
      [
        [2, true, false, 'api_key', null],
        [1, false, true, 'api_key', 'approved'],
      ],
    );
    const current = await dana.request('GET', `${base}/landing-pages/revised/revisions/2`);
    assert.deepEqual(current.body.restrictedPhrases, [
      { phrase: 'cure', fields: ['bioText'] },
      { phrase: 'clinically  proven', fields: ['bioText'] },
    ]);
    const approved = await dana.request('GET', `${base}/landing-pages/revised/revisions/1`);
    assert.deepEqual([approved.body.bioText, approved.body.restrictedPhrases], ['Tea for calm evenings', []]);
    assert.equal((await dana.request('GET', `${base}/landing-pages/revised/revisions/3`)).status, 404);
  });

  test(`${races} writes racing with approvals never approve a revision that was not shown`, async () => {
    const { id } = await aWrittenPage('raced');
    const shown = new Map<number, string>();
    let isWriting = true;
    const write = async () => {
      for (let index = 0; index < races; index += 1) await rewrite(id, 'raced', { headline: `Words ${index}`, isPublished: true });
      isWriting = false;
    };
    let approvals = 0;
    const approve = async () => {
      while (isWriting || approvals === 0) {
        const { body: list } = await dana.request('GET', `${base}/landing-pages?search=raced`);
        const { revision } = list.landingPages[0];
        const { body: content } = await dana.request('GET', `${base}/landing-pages/raced/revisions/${revision}`);
        shown.set(revision, content.headline);
        const { status } = await review('raced', { revision, verdict: 'approved' });
        assert.ok([200, 412, 422].includes(status), String(status));
        if (status === 200) approvals += 1;
        await checkServed();
      }
    };
    // What the API returns as approved has been shown with exactly these words.
    const checkServed = async () => {
      const { status, body } = await service.request('GET', `${service.program.path}/landing-pages/raced?revision=approved`);
      if (status === 404) return;
      assert.ok([...shown.values()].includes(body.headline), `${body.headline} was never shown`);
    };
    await Promise.all([write(), approve(), approve(), approve()]);
    const { rows } = await service.pool.query(
      `select review.revision, content.headline from landing_page_reviews as review
       join landing_pages as page on page.id = review.page_id
       join landing_page_revisions as content on content.page_id = page.id and content.revision = review.revision
       where page.slug = 'raced' and verdict = 'approved'`,
    );
    assert.equal(rows.length, approvals);
    for (const { revision, headline } of rows) assert.equal(shown.get(revision), headline);
  });

  const row = async (slug: string) =>
    (await service.pool.query('select revision, review_status, approved_revision, updated_at from landing_pages where slug = $1', [slug]))
      .rows;

  /** The jobs' clock is the database's. */
  async function runDelayed(): Promise<void> {
    await service.relay();
    await service.pool.query(`update pgboss.job set start_after = now() - interval '1 second' where state < 'active'`);
    await service.drain();
  }

  const actorOf = ({ writtenBy }: { writtenBy?: { kind: string } }) => writtenBy?.kind;
  const decisionOf = ({ decision }: { decision?: { verdict: string } | null }) => decision?.verdict ?? null;
});

test('restricted phrases are whole words in any case, spacing and script', () => {
  const texts = { headline: 'Secure your CURE-all', bioText: 'Heilt  Schlaf\nlosigkeit und naïve Träume, fda-approved (100%)' };
  assert.deepEqual(findPhrases(texts, ['cure', 'heilt schlaf', 'losig', 'TRÄUME', 'FDA-approved (100%)', '  ', '(?']), [
    { phrase: 'cure', fields: ['headline'] },
    { phrase: 'heilt schlaf', fields: ['bioText'] },
    { phrase: 'TRÄUME', fields: ['bioText'] },
    { phrase: 'FDA-approved (100%)', fields: ['bioText'] },
  ]);
});
