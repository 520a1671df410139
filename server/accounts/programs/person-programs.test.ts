// The register of persons has the programs of an address or a user, whatever happens at the same time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../test/support/harness.ts';
import { checkInvariants } from '../../operations/verify/invariants.ts';
import { transact } from '../../platform/db/transact.ts';
import { claimAffiliates } from '../identity/affiliate-accounts/claim.ts';
import { acceptInvitations } from '../identity/invitations/accept.ts';
import { findProgramIds, type Person } from './person-programs.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const programsOf = (kind: Person['kind'], person: string) => findProgramIds(service.ctx, { kind, person });
const invite = ({ path, key }: TestProgram, email: string) =>
  service.request('POST', `${path}/affiliates`, { body: { email, firstName: 'Ada', lastName: 'L' }, key });
const broken = async () => (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
const count = (answers: readonly { status: number }[], wanted: number) => answers.filter(({ status }) => status === wanted).length;

test('of simultaneous invitations of one address, one per program is registered', async () => {
  const programs = [service.program, service.foreign, await service.newProgram('Third Brand')];
  const answers = await Promise.all(
    programs.flatMap((program) => [invite(program, 'Race@example.com'), invite(program, 'race@example.com')]),
  );
  assert.deepEqual([count(answers, 201), count(answers, 409)], [3, 3]);
  assert.deepEqual(await programsOf('affiliate', 'race@example.com'), programs.map(({ programId }) => programId).sort());
  assert.deepEqual(await broken(), []);
});

test('of simultaneous changes to one address, the register has the one that was stored, and the former addresses are released', async () => {
  const { path, programId } = service.program;
  const affiliates = await Promise.all([1, 2, 3].map((number) => anAffiliate(service, { email: `before-${number}@example.com` })));
  const change = (id: string) => service.request('PATCH', `${path}/affiliates/${id}`, { body: { email: 'after@example.com' } });
  const answers = await Promise.all(affiliates.map(({ id }) => change(id)));
  assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 2]);
  assert.deepEqual(await programsOf('affiliate', 'after@example.com'), [programId]);
  const former = await Promise.all([1, 2, 3].map((number) => programsOf('affiliate', `before-${number}@example.com`)));
  assert.deepEqual(
    former.map(({ length }) => length),
    answers.map(({ status }) => (status === 200 ? 0 : 1)),
  );
  assert.deepEqual(await broken(), []);
});

test('simultaneous sign-ins register the programs that they join and claim once, and the removal of a member releases it', async () => {
  const { programId } = service.program;
  const owner = await service.asMember('owner');
  const user = await service.asMember('viewer', { program: service.foreign });
  const members = `/app/programs/${programId}`;
  const emailKey = (await service.pool.query('select email_key from users where id = $1', [user.userId])).rows[0].email_key;
  const invitation = { email: emailKey, name: 'Grace', role: 'viewer' };
  assert.equal((await owner.request('POST', `${members}/member-invitations`, { body: invitation })).status, 201);
  assert.equal((await invite(service.program, emailKey)).status, 201);
  assert.deepEqual(await programsOf('invited', emailKey), [programId]);
  const signIn = () =>
    transact(service.ctx, async (tx) => {
      await acceptInvitations(tx, { id: user.userId, emailKey });
      await claimAffiliates(tx, { id: user.userId, emailKey });
    });
  await Promise.all([signIn(), signIn(), signIn()]);
  assert.deepEqual(await programsOf('member', user.userId), [programId, service.foreign.programId].sort());
  assert.deepEqual(await programsOf('account', user.userId), [programId]);
  const { body: me } = await user.request('GET', '/app/me');
  assert.deepEqual([me.programs.length, me.affiliateAccounts.length], [2, 1]);
  assert.equal((await owner.request('DELETE', `${members}/members/${user.userId}`)).status, 200);
  assert.deepEqual(await programsOf('member', user.userId), [service.foreign.programId]);
  assert.deepEqual(await broken(), []);
});
