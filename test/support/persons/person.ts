// A person with traces of every kind in three programs: an affiliate with a page, coupons, orders and payouts, an applicant, an
// invited and an active member, and a customer.
import assert from 'node:assert/strict';
import { addMember } from '../../../server/accounts/identity/members/add-member.ts';
import { sealAuditLog } from '../../../server/platform/audit/seal.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import { buildTotalsOf } from '../../../server/views/insights/build-totals.ts';
import { aClick, aCoupon, anAffiliate, anOrder, aPage, aRule } from '../builders.ts';
import { portalRows } from '../fuzz/portal-samples.ts';
import type { TestMember, TestProgram, TestService } from '../harness.ts';
import { aForm, apply, confirm, openJoinForm } from '../join/applicant.ts';
import { aStore } from '../stores/stores.ts';

export const email = 'Zwetschgula.Q@plumtree.example';
export const actor = { kind: 'command' as const, id: 'test' };
export const [firstName, lastName] = ['Zwetschgula', 'Quittenbaum'];
const w9 = {
  kind: 'w9',
  name: `${firstName} ${lastName}`,
  classification: 'individual',
  ssn: '123-45-6789',
  address: { street: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
  signatureName: `${firstName} ${lastName}`,
  isCertified: true,
};

/** As `request`, and the request must succeed. */
async function ok(sent: Promise<{ status: number; text: string; body: Record<string, unknown> }>) {
  const answer = await sent;
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

/** A note of a member about an affiliate. */
async function aNote(service: TestService, affiliateId: string, note: string): Promise<void> {
  const path = `/app/programs/${service.program.programId}/affiliates/${affiliateId}/notes`;
  await ok((await service.asMember('owner')).request('POST', path, { body: { note } }));
}

/** An affiliate with a page, coupons, orders and everything that the portal stores. */
async function promote(service: TestService, friendId: string): Promise<TestMember> {
  const { path, programId } = service.program;
  const { affiliate: id } = await portalRows(service, email);
  const person = await service.asAffiliate({ id, email });
  const portal = (method: string, to: string, body?: unknown) => ok(person.request(method, `/app/portal/${programId}${to}`, { body }));
  const api = (method: string, to: string, body?: unknown) => ok(service.request(method, to, { body }));
  const profile = { externalId: 'crm-quittenbaum', metadata: { mother: lastName }, tags: [`friend of ${firstName}`] };
  await api('PATCH', `${path}/affiliates/${id}`, { firstName, lastName, ...profile });
  await api('PATCH', `${path}/affiliates/${id}`, { firstName: 'Zwetschgula', lastName: 'Quittenbaum-Alt' });
  await api('PATCH', `${path}/affiliates/${id}`, { lastName });
  await aRule(service, { affiliateId: id, rate: 12, name: `Rate of ${firstName} ${lastName}` });
  await aNote(service, id, `Called ${lastName} on Monday`);
  await portal('PATCH', '/slug', { vanitySlug: 'zwetschgula' });
  await portal('POST', '/links', { name: `Blog of ${firstName}` });
  await aCoupon(service, { affiliateId: id, code: 'ZWETSCHGULA10' });
  await aPage(service, id, 'quittenbaum-favourites', { pageTitle: `The picks of ${firstName}`, bioText: `I am ${firstName} ${lastName}.` });
  await portal('PATCH', '/page', { version: 0, headline: `Draft of ${firstName}` });
  await portal('POST', '/claims', { orderId: 'FF-9', note: `On the stream of ${firstName}` });
  await portal('POST', '/tax-form', w9);
  const { bounties } = (await portal('GET', '/bounties')) as { bounties: { id: string }[] };
  await portal('POST', `/bounties/${bounties[0]?.id}/submissions`, { url: 'https://zwetschgula.example/1', note: `By ${firstName}` });
  const clickId = await aClick(service, id);
  await service.pool.query(
    `update clicks set sub_ids = '{blog-of-zwetschgula}', destination = 'https://fern.example/quittenbaum', slug = 'zwetschgula',
       referrer_host = 'blog.zwetschgula.example' where id = $1`,
    [clickId],
  );
  await anOrder(service, {
    orderId: 'FF-1',
    couponCode: 'ZWETSCHGULA10',
    customer: { email },
    metadata: { gift: `${firstName} ${lastName}` },
  });
  await anOrder(service, { orderId: 'FF-2', affiliateId: friendId, customer: { externalId: 'c-1', email } });
  await service.request('POST', '/v1/conversions', { body: { orderId: 'FF-3', amountCents: 100, customer: { email } } });
  await api('POST', '/v1/leads', { externalId: 'lead-1', affiliateId: friendId, customer: { email } });
  return person;
}

/** Adds the person to a new service. `friendId`: an affiliate about whom a member noted that they know the person. */
export async function aPerson(service: TestService): Promise<{ third: TestProgram; friendId: string }> {
  const third = await service.newProgram('Third');
  await aRule(service, { rate: 10 });
  const friend = await anAffiliate(service, { status: 'active', firstName: 'Zoe', lastName: 'Other' });
  const friendId = friend.id;
  const invite = { email, firstName, lastName, sendInvite: true };
  await service.request('POST', `${third.path}/affiliates`, {
    body: invite,
    key: third.key,
    headers: { 'idempotency-key': 'once' },
  });
  const { userId } = await promote(service, friendId);
  await service.pool.query('update users set name = $2 where id = $1', [userId, `${firstName} ${lastName}`]);
  await service.pool.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
     values (gen_random_uuid(), $1, 'own', '', 0, '{}', 'Phone of Zwetschgula', now())`,
    [userId],
  );
  for (const { programId } of [service.program, service.foreign, third])
    await service.pool.query(
      `insert into access_requests (program_id, id, user_id, role, note, created_at)
       values ($1, gen_random_uuid(), $2, 'admin', 'Zwetschgula needs the settings', now())`,
      [programId, userId],
    );
  await service.pool.query("update erasure_requests set status = 'accepted', decision_note = $1, decided_at = now()", [`For ${firstName}`]);
  const owner = await service.asMember('owner', { program: service.foreign });
  const page = await openJoinForm(owner, service.foreign);
  await confirm(await apply(service, page, aForm(email, { firstName, lastName, q_about: `I, ${firstName}, write.` })));
  const invitation = { email, name: `${firstName} ${lastName}`, role: 'viewer' };
  await ok(owner.request('POST', `/app/programs/${service.foreign.programId}/member-invitations`, { body: invitation }));
  const first = await service.asMember('owner');
  await ok(first.request('POST', `/app/programs/${service.program.programId}/exports`, { body: { list: 'affiliates', rows: 'all' } }));
  await aNote(service, friendId, `A friend of ${firstName} ${lastName} <${email}>`);
  const store = await aStore(service, 'generic', third);
  await store.send({ id: 'e-1', topic: 'order.paid', body: { orderId: 'G-1', amountCents: 4980, customer: { email } } });
  await transact(service.ctx, (tx) => addMember(tx, { programId: third.programId, userId, role: 'owner', actor }));
  await service.drain();
  for (const { programId } of [service.program, service.foreign]) await sealAuditLog(service.ctx, programId);
  const view = { screen: 'insights', name: `Sales of ${firstName} ${lastName}`, isShared: true, state: { query: { search: email } } };
  await ok(first.request('POST', `/app/programs/${service.program.programId}/saved-views`, { body: view }));
  service.clock.advance({ seconds: 2 * 86_400 });
  await buildTotalsOf(service.ctx, service.program.programId);
  return { third, friendId };
}
