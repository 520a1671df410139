// The settings of the join form: what is accepted, versions of the terms, and the rules of automatic approval.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestService, type TestMember, type TestService } from '../../../../test/support/harness.ts';
import { type AutoApproval, findApprovalReason } from './auto-approval.ts';

describe('the join form', () => {
  let service: TestService;
  let owner: TestMember;
  let path: string;
  before(async () => {
    service = await openTestService();
    owner = await service.asMember('owner');
    path = `/app/programs/${service.program.programId}/join-form`;
  });
  after(() => service.close());

  const change = (body: object) => owner.request('PATCH', path, { body });
  const kind = { id: 'kind', kind: 'choice', label: 'What are you?', options: ['Clinician', 'Creator'] };

  test('is closed and empty until it is changed', async () => {
    const { body } = await owner.request('GET', path);
    assert.deepEqual(body, {
      url: 'http://127.0.0.1:3000/join/fern-field',
      isOpen: false,
      intro: null,
      questions: [],
      terms: null,
      termsVersion: null,
      termsChangedAt: null,
      autoApproval: { mode: 'none', emailDomains: [], answers: [] },
    });
  });

  test('keeps what a change omits, with an audit entry per change', async () => {
    const opened = await change({ isOpen: true, questions: [kind, { id: 'site', kind: 'url', label: 'Your site', isRequired: true }] });
    assert.equal(opened.status, 200, opened.text);
    const introduced = await change({ intro: 'Come in.' });
    assert.deepEqual({ ...introduced.body, intro: null }, opened.body);
    await change({ intro: 'Come in.' });
    const { rows } = await service.pool.query(`select after from audit_log where action = 'join_form.updated' order by created_at, id`);
    assert.deepEqual(rows.at(-1)?.after, { intro: 'Come in.' });
    assert.equal(rows.length, 2);
  });

  test('stores every version of the terms permanently', async () => {
    const versions = [];
    for (const terms of ['First.', 'First.', 'Second.', null, 'First.']) versions.push((await change({ terms })).body.termsVersion);
    assert.deepEqual(versions, [1, 1, 2, null, 3]);
    const { rows } = await service.pool.query('select version, text from join_terms order by version');
    assert.deepEqual(
      rows.map(({ version, text }) => [version, text]),
      [
        [1, 'First.'],
        [2, 'Second.'],
        [3, 'First.'],
      ],
    );
    await assert.rejects(service.ctx.db.updateTable('joinTerms').set({ text: 'Other' }).execute(), /permission denied/);
    await assert.rejects(service.ctx.db.deleteFrom('joinTerms').execute(), /permission denied/);
  });

  test('gives simultaneous changes of the terms a version each', async () => {
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((terms) => change({ terms })));
    assert.deepEqual(new Set(answers.map(({ body }) => body.termsVersion)), new Set([4, 5, 6, 7]));
  });

  const invalid: [what: string, body: object, at: string][] = [
    ['13 questions', { questions: Array.from({ length: 13 }, (_, id) => ({ id: `q${id}`, kind: 'short_text', label: 'Q' })) }, 'questions'],
    ['the same id twice', { questions: [kind, kind] }, 'questions.1.id'],
    ['a choice with one option', { questions: [{ ...kind, options: ['One'] }] }, 'questions.0.options'],
    ['an option twice', { questions: [{ ...kind, options: ['One', 'One'] }] }, 'questions.0.options'],
    ['options without a choice', { questions: [{ ...kind, kind: 'url' }] }, 'questions.0.options'],
    ['a rule without a condition', { autoApproval: { mode: 'matching' } }, 'autoApproval'],
    ['something else than a domain', { autoApproval: { mode: 'matching', emailDomains: ['a b'] } }, 'autoApproval.emailDomains.0'],
    [
      'a rule about a text',
      { autoApproval: { mode: 'matching', answers: [{ questionId: 'site', options: ['x'] }] } },
      'autoApproval.answers.0.questionId',
    ],
    [
      'a rule about an unknown option',
      { autoApproval: { mode: 'matching', answers: [{ questionId: 'kind', options: ['Shop'] }] } },
      'autoApproval.answers.0.options',
    ],
  ];
  for (const [what, body, at] of invalid) {
    test(`does not accept ${what}`, async () => {
      const { status, body: error } = await change(body);
      assert.equal(status, 400);
      assert.deepEqual(
        error.details.map((detail: { path: string[] }) => detail.path.join('.')),
        [at],
      );
    });
  }

  test('does not lose a question that a rule refers to', async () => {
    const autoApproval = { mode: 'matching', answers: [{ questionId: 'kind', options: ['Clinician'] }] };
    assert.equal((await change({ autoApproval })).status, 200);
    assert.equal((await change({ questions: [] })).status, 400);
    assert.equal((await change({ questions: [], autoApproval: { mode: 'none' } })).status, 200);
  });
});

describe('automatic approval', () => {
  const answers = [{ questionId: 'kind', question: 'What are you?', answer: 'Clinician' }];
  const rule = (given: Partial<AutoApproval>): AutoApproval => ({ mode: 'matching', emailDomains: [], answers: [], ...given });
  const applies = (given: AutoApproval, emailKey = 'ada@clinic.example') => findApprovalReason(given, { emailKey, answers });

  test('never applies by default, and to all only when that is chosen', () => {
    assert.equal(applies(rule({ mode: 'none', emailDomains: ['clinic.example'] })), null);
    assert.equal(applies(rule({})), null);
    assert.deepEqual(applies(rule({ mode: 'all' })), { rule: 'all', emailDomain: null, answers: [] });
  });

  test('requires every condition, and states those that held', () => {
    const both = rule({ emailDomains: ['clinic.example'], answers: [{ questionId: 'kind', options: ['Clinician'] }] });
    const reason = { rule: 'matching', emailDomain: 'clinic.example', answers: [{ question: 'What are you?', answer: 'Clinician' }] };
    assert.deepEqual(applies(both), reason);
    assert.equal(applies(both, 'ada@other.example'), null);
    assert.equal(applies({ ...both, answers: [{ questionId: 'kind', options: ['Creator'] }] }), null);
    assert.equal(applies({ ...both, answers: [{ questionId: 'unknown', options: ['Clinician'] }] }), null);
  });

  test('compares whole domains', () => {
    const one = rule({ emailDomains: ['clinic.example'] });
    for (const address of ['a@sub.clinic.example', 'a@myclinic.example', 'clinic.example@x.example', 'a@clinic.example.evil.example'])
      assert.equal(applies(one, address), null, address);
  });

  test('never applies to addresses that expire', () => {
    for (const given of [rule({ mode: 'all' }), rule({ emailDomains: ['mailinator.com'] })])
      assert.equal(applies(given, 'a@mailinator.com'), null);
  });
});
