// The private draft of a page: two windows don't overwrite each other, no other affiliate reads it, and submitting writes
// exactly what was drafted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, aProduct } from '../../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { transact } from '../../../platform/db/transact.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { reviewPage } from '../review.ts';

describe('the private draft of a page', () => {
  let service: TestService;
  let serial = 0;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  type Author = TestMember & { id: string; at: string };
  async function anAuthor(given: object = {}, program: TestProgram = service.program): Promise<Author> {
    serial += 1;
    const row = await anAffiliate(service, { email: `author${serial}@example.com`, status: 'active', ...given }, program);
    return { ...(await service.asAffiliate(row, program)), id: row.id, at: `/app/portal/${program.programId}/page` };
  }
  const read = async (author: Author) => (await author.request('GET', author.at)).body;
  const save = (author: Author, version: number, changes: object) => author.request('PATCH', author.at, { body: { version, ...changes } });
  const submit = (author: Author, version: number) => author.request('POST', `${author.at}/submit`, { body: { version } });
  const getPage = async (slug: string) => (await service.request('GET', `${service.program.path}/landing-pages/${slug}`)).body;

  test('starts with defaults and the name of the affiliate, and lists what they may promote', async () => {
    const author = await anAuthor({ firstName: 'Zoë', lastName: 'Õun' });
    const group = await service.request('POST', `${service.program.path}/groups`, { body: { name: 'Gold' } });
    const open = await aProduct(service, { name: 'Open' });
    const restricted = await aProduct(service, { name: 'Restricted', allowedGroupIds: [group.body.id] });
    const { draft, page, products, restrictedPhrases, canSubmit } = await read(author);
    assert.deepEqual([draft.version, draft.savedAt, page, restrictedPhrases, canSubmit], [0, null, null, [], true]);
    assert.deepEqual([draft.content.slug, draft.content.pageTitle], ['zoe-oun', 'Zoë Õun']);
    const ids = products.map(({ id }: { id: string }) => id);
    assert.deepEqual([ids.includes(open), ids.includes(restricted)], [true, false]);
  });

  test('keeps what is incomplete, and changes nothing that the program or the public sees', async () => {
    const author = await anAuthor();
    const typing = { pageTitle: '', links: [{ label: '', url: 'https://inst' }], slug: 'Half of a Slug' };
    const saved = await save(author, 0, typing);
    assert.deepEqual([saved.status, saved.body.version], [200, 1], saved.text);
    const { draft } = await read(author);
    for (const [field, value] of Object.entries(typing)) assert.deepEqual(draft.content[field], value);
    assert.equal(draft.savedAt, service.clock.now().toISOString());
    const { rows } = await service.pool.query('select 1 from landing_pages where affiliate_id = $1', [author.id]);
    assert.equal(rows.length, 0);
  });

  test('is saved by one of ten windows that start from the same version; the others learn the current one', async () => {
    const author = await anAuthor();
    for (const version of [0, 1]) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => save(author, version, { headline: `${version} ${index}` })),
      );
      const saved = answers.filter(({ status }) => status === 200);
      assert.equal(saved.length, 1);
      for (const { status, body } of answers.filter((answer) => !saved.includes(answer))) {
        assert.deepEqual([status, body.code, body.version], [412, 'draft_outdated', version + 1]);
      }
      const { draft } = await read(author);
      const index = answers.findIndex(({ status }) => status === 200);
      assert.deepEqual([draft.version, draft.content.headline], [version + 1, `${version} ${index}`]);
    }
  });

  test('has images that were uploaded, or that the program hosts', async () => {
    const author = await anAuthor();
    const own = `${getPublicUrl(service.ctx.config)}/media/${service.ctx.ids.uuid()}`;
    for (const [heroImageUrl, status] of [
      [own, 200],
      ['https://brand.example/hero.webp', 200],
      ['https://elsewhere.example/hero.webp', 400],
      ['http://brand.example/hero.webp', 400],
      ['https://brand.example.evil.example/hero.webp', 400],
    ] as const) {
      const { draft } = await read(author);
      const saved = await save(author, draft.version, { heroImageUrl });
      assert.equal(saved.status, status, heroImageUrl);
      if (status === 400)
        assert.deepEqual(saved.body.details, [
          { path: ['heroImageUrl'], message: "must be an uploaded image, or one on the program's website" },
        ]);
    }
  });

  test('becomes exactly the next revision, which waits for approval and is audited as the user', async () => {
    const author = await anAuthor();
    const [first, second] = [await aProduct(service), await aProduct(service)];
    const content = {
      slug: 'exactly',
      templateId: 'creator',
      accent: 'plum',
      pageTitle: 'My page',
      headline: 'Tested by me',
      bioText: 'One\nTwo',
      avatarUrl: 'https://brand.example/a.webp',
      heroImageUrl: 'https://brand.example/b.webp',
      heroFocus: 'left',
      promoBadgeText: 'New',
      promotionMode: 'featured_only',
      featuredProductIds: [second, first],
      productNotes: { [first]: 'Every day.' },
      links: [{ label: 'Journal', url: 'https://ada.example/' }],
    };
    await save(author, 0, { ...content, productNotes: { ...content.productNotes, [author.id]: 'not chosen', [second]: '' } });
    const { status, body } = await submit(author, 1);
    assert.deepEqual([status, body], [200, { slug: 'exactly', reviewStatus: 'draft', version: 2 }]);
    const page = await getPage('exactly');
    for (const [field, value] of Object.entries(content)) assert.deepEqual(page[field], value, field);
    assert.deepEqual([page.isPublished, page.isLive, page.reviewStatus], [true, false, 'draft']);
    const audited = await service.pool.query(
      `select actor_kind, actor_id from audit_log where action = 'landing_page.created' and after ->> 'slug' = 'exactly'`,
    );
    assert.deepEqual(audited.rows, [{ actor_kind: 'user', actor_id: author.userId }]);
    const { draft, page: state } = await read(author);
    assert.deepEqual([draft.version, draft.savedAt, draft.content], [2, null, content]);
    assert.deepEqual([state.slug, state.reviewStatus, state.isLive], ['exactly', 'draft', false]);
    // A window that still shows the submitted version can't save over what follows.
    assert.equal((await save(author, 1, { headline: 'old' })).status, 412);
  });

  test('is submitted once, however often the button is pressed', async () => {
    const author = await anAuthor();
    await save(author, 0, { slug: 'pressed', pageTitle: 'Pressed' });
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => submit(author, 1)))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 412, 412, 412, 412, 412]);
    const { rows } = await service.pool.query(
      `select count(*)::int as revisions from landing_page_revisions join landing_pages on id = page_id where slug = 'pressed'`,
    );
    assert.equal(rows[0].revisions, 1);
  });

  test('shows the note of requested changes with its fields until the page is submitted again', async () => {
    const author = await anAuthor();
    await save(author, 0, { slug: 'noted', pageTitle: 'Noted' });
    await submit(author, 1);
    await transact(service.ctx, (tx) =>
      reviewPage(tx, {
        programId: service.program.programId,
        slug: 'noted',
        revision: 1,
        verdict: 'changes_requested',
        actor: { kind: 'command', id: 'test' },
        note: 'A shorter title, please.',
        fields: ['pageTitle'],
      }),
    );
    const requestedAt = service.clock.now().toISOString();
    assert.deepEqual((await read(author)).page.changes, { note: 'A shorter title, please.', fields: ['pageTitle'], requestedAt });
    await submit(author, 2);
    assert.equal((await read(author)).page.changes, null);
  });

  test('is previewed as it is saved, for every holder of the address, without links that are still typed', async () => {
    const author = await anAuthor();
    const links = [
      { label: 'Journal', url: 'https://ada.example/' },
      { label: 'Half', url: 'https' },
    ];
    await save(author, 0, { pageTitle: 'Seen <b>before</b>', links });
    const { status, body } = await author.request('POST', `${author.at}/preview`);
    assert.equal(status, 200);
    const shown = await service.request('GET', body.url, { key: null });
    assert.equal(shown.status, 200);
    assert.ok(shown.text.includes('Seen &lt;b&gt;before&lt;/b&gt;') && shown.text.includes('Journal') && !shown.text.includes('Half'));
    await save(author, 1, { pageTitle: 'Changed since' });
    assert.ok((await service.request('GET', body.url, { key: null })).text.includes('Changed since'));
  });

  test('is not submitted with faults, and names each field', async () => {
    const author = await anAuthor();
    await save(author, 0, { slug: 'Not a slug', pageTitle: ' ', links: [{ label: 'x', url: 'http://ada.example' }] });
    const { status, body } = await submit(author, 1);
    assert.equal(status, 400);
    const paths = body.details.map(({ path }: { path: string[] }) => path.join('.'));
    assert.deepEqual(paths, ['slug', 'pageTitle', 'links.0.url']);
    assert.equal((await read(author)).draft.version, 1);
  });

  test("can't take the slug of another affiliate's page", async () => {
    const [owner, other] = [await anAuthor(), await anAuthor()];
    await save(owner, 0, { slug: 'taken', pageTitle: 'Mine' });
    assert.equal((await submit(owner, 1)).status, 200);
    const check = async (slug: string) => (await other.request('GET', `${other.at}/slug-check?slug=${encodeURIComponent(slug)}`)).body;
    assert.deepEqual(await check('taken'), { isAvailable: false, reason: 'taken', suggestion: 'taken-2' });
    assert.deepEqual(await check('Free One'), { isAvailable: false, reason: 'invalid', suggestion: 'free-one' });
    assert.deepEqual(await check('free-one'), { isAvailable: true, reason: null, suggestion: null });
    await save(other, 0, { slug: 'taken', pageTitle: 'Also mine' });
    const late = await submit(other, 1);
    assert.deepEqual([late.status, late.body.code], [409, 'slug_taken']);
    assert.equal((await read(other)).draft.content.pageTitle, 'Also mine');
  });

  test('is prepared by pending affiliates and submitted by active ones; to others it does not exist', async () => {
    const author = await anAuthor({ status: 'pending' });
    assert.equal((await save(author, 0, { slug: 'prepared', pageTitle: 'Prepared' })).status, 200);
    assert.equal((await read(author)).canSubmit, false);
    const early = await submit(author, 1);
    assert.deepEqual([early.status, early.body.code], [400, 'affiliate_not_active']);
    const setStatus = (status: string) => service.request('PATCH', `${service.program.path}/affiliates/${author.id}`, { body: { status } });
    await setStatus('active');
    assert.equal((await submit(author, 1)).status, 200);
    await setStatus('suspended');
    assert.equal((await author.request('GET', author.at)).status, 404);
    assert.equal((await save(author, 2, {})).status, 404);
  });

  test('is discarded without changing the page, and an old window cannot bring it back', async () => {
    const author = await anAuthor();
    await save(author, 0, { slug: 'kept', pageTitle: 'Kept' });
    await submit(author, 1);
    await save(author, 2, { pageTitle: 'Changed' });
    assert.equal((await author.request('DELETE', `${author.at}/draft`)).status, 200);
    const { draft } = await read(author);
    assert.deepEqual([draft.content.pageTitle, draft.savedAt, draft.version], ['Kept', null, 4]);
    assert.equal((await save(author, 3, { pageTitle: 'Back' })).status, 412);
  });

  test('is invisible to other affiliates: another program is the same 404 as one that does not exist', async () => {
    const [author, stranger] = [await anAuthor(), await anAuthor({}, service.foreign)];
    await save(author, 0, { headline: 'private words' });
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { version: 0 }],
      ['POST', '/submit', { version: 1 }],
      ['DELETE', '/draft'],
      ['POST', '/preview'],
      ['GET', '/slug-check?slug=a'],
    ] as const) {
      const answers = [];
      for (const programId of [service.program.programId, service.ctx.ids.uuid()]) {
        const answer = await stranger.request(method, `/app/portal/${programId}/page${path}`, { body });
        answers.push([answer.status, { ...answer.body, requestId: '' }]);
      }
      assert.equal(answers[0]?.[0], 404);
      assert.deepEqual(answers[0], answers[1]);
    }
    const peer = await anAuthor();
    assert.ok(!JSON.stringify(await read(peer)).includes('private words'));
  });
});
