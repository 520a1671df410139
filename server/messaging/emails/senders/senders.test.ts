// The sender address of a program: used while its DNS records are found, and only then.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openZone, type Zone } from '../../../../test/support/domains/zone.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import type { Message } from '../mailer.ts';
import { checkDueSenders } from './check.ts';

let service: TestService;
let zone: Zone;
let program: TestProgram;
let sent: Message[] = [];
let serial = 0;
before(async () => {
  service = await openTestService({
    environment: { SENDER_SPF: 'include:spf.mail.test', SENDER_DKIM: 'trb=dkim.mail.test', MAIL_FROM: 'Tributary <mail@service.test>' },
  });
  service.ctx.mailer = { send: async (message) => void sent.push(message), close: () => undefined };
  zone = openZone(service);
});
after(() => service.close());
beforeEach(async () => {
  sent = [];
  serial += 1;
  program = await service.newProgram(`Acme ${serial}`);
});

const domain = () => `brand${serial}.test`;
const send = (method: string, path: string, body?: object) => service.request(method, `${program.path}${path}`, { key: program.key, body });
const set = (address: string | null) => send('PATCH', '/email-sender', { address });
const check = async () => (await send('POST', '/email-sender/check')).body;
const publish = () => {
  zone.set(`_tributary.${domain()}`, 'TXT', [`program=${program.programId}`]);
  zone.set(domain(), 'TXT', ['google-site-verification=x', 'v=spf1 include:spf.mail.test -all']);
  zone.set(`trb._domainkey.${domain()}`, 'CNAME', ['dkim.mail.test']);
};
const anEmail = async () => {
  const { id } = await anAffiliate(service, { status: 'pending' }, program);
  await send('PATCH', `/affiliates/${id}`, { status: 'active' });
  await service.drain();
  return sent.at(-1);
};

describe('the sender address of a program', () => {
  test('is used by its emails once the proof, SPF and DKIM are found, and no longer when one disappears', async () => {
    const created = await set(`partners@${domain()}`);
    assert.equal(created.status, 200, created.text);
    assert.deepEqual(
      created.body.records.map(({ type, name, value, isCorrect }: Record<string, unknown>) => [type, name, value, isCorrect]),
      [
        ['TXT', `_tributary.${domain()}`, `program=${program.programId}`, false],
        ['TXT', domain(), 'v=spf1 include:spf.mail.test ~all', false],
        ['CNAME', `trb._domainkey.${domain()}`, 'dkim.mail.test', false],
      ],
    );
    const name = `Acme ${serial}`;
    const unproven = await anEmail();
    assert.deepEqual(
      [unproven?.from, unproven?.replyTo],
      [
        { name, address: 'mail@service.test' },
        { name, address: `partners@${domain()}` },
      ],
    );
    assert.deepEqual([(await check()).status, (await check()).problem], ['pending', 'ownership_missing']);
    publish();
    zone.set(domain(), 'TXT', ['v=spf1 include:spf.mail.test -all', 'v=spf1 -all']);
    assert.equal((await check()).problem, 'spf_missing');
    publish();
    zone.set(`trb._domainkey.${domain()}`, 'CNAME', []);
    assert.equal((await check()).problem, 'dkim_missing');
    publish();
    const active = await check();
    assert.deepEqual([active.status, active.problem], ['active', null]);
    const proven = await anEmail();
    assert.deepEqual([proven?.from, proven?.replyTo], [{ name, address: `partners@${domain()}` }, undefined]);
    zone.set(domain(), 'TXT', ['v=spf1 -all']);
    service.clock.advance({ minutes: 361 });
    await checkDueSenders.run(service.ctx, {}, { isLast: true });
    assert.deepEqual((await anEmail())?.from, { name, address: 'mail@service.test' });
    const { body } = await send('GET', '/audit-events?action=email_sender.status_changed');
    assert.deepEqual(
      body.auditEvents.map(({ after: { status, problem } }: { after: Record<string, unknown> }) => [status, problem]),
      [
        ['misconfigured', 'spf_missing'],
        ['active', null],
      ],
    );
  });

  test('is used by emails to members, but not by those about security', async () => {
    publish();
    await set(`partners@${domain()}`);
    assert.equal((await check()).status, 'active');
    const admin = await service.asMember('admin', { program });
    const invited = await admin.request('POST', `/app/programs/${program.programId}/member-invitations`, {
      body: { email: `new${serial}@example.com`, name: 'New', role: 'viewer' },
    });
    assert.equal(invited.status, 201, invited.text);
    await service.drain();
    assert.deepEqual(sent.at(-1)?.from, { name: `Acme ${serial}`, address: `partners@${domain()}` });
    await send('PATCH', '', { contactEmail: 'contact@example.com', payoutApprovalCents: 100 });
    await admin.request('PATCH', program.path, { body: { payoutApprovalCents: 200 } });
    await service.drain();
    const notice = sent.filter(({ to }) => to === 'contact@example.com').at(-1);
    assert.deepEqual(notice?.from, { name: 'Tributary', address: 'mail@service.test' });
  });

  test('is checked by the schedule; name servers without an answer change nothing', async () => {
    publish();
    await set(`partners@${domain()}`);
    await checkDueSenders.run(service.ctx, {}, { isLast: true });
    assert.equal((await send('GET', '/email-sender')).body.status, 'active');
    zone.isDown = true;
    service.clock.advance({ minutes: 361 });
    await checkDueSenders.run(service.ctx, {}, { isLast: true });
    const unanswered = await send('POST', '/email-sender/check');
    zone.isDown = false;
    assert.deepEqual([unanswered.status, unanswered.body.code], [400, 'dns_unavailable']);
    assert.equal((await send('GET', '/email-sender')).body.status, 'active');
    assert.deepEqual((await set(null)).body.status, 'off');
    assert.deepEqual((await anEmail())?.from.address, 'mail@service.test');
    assert.equal((await send('POST', '/email-sender/check')).body.code, 'email_sender_missing');
  });

  test("can't be at the domain of the installation, nor be set where the operator has not described the mail server", async () => {
    const own = await set('partners@service.test');
    assert.deepEqual(own.body.details, [
      { path: ['address'], message: 'must be an address at a domain of yours, not of this installation' },
    ]);
    publish();
    await set(`partners@${domain()}`);
    assert.equal((await check()).status, 'active');
    const { config } = service.ctx;
    service.ctx.config = { ...config, senderSpf: undefined };
    const email = await anEmail();
    const rejected = await set('other@brand.test');
    service.ctx.config = config;
    assert.equal(email?.from.address, 'mail@service.test');
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'email_sender_not_available']);
  });
});
