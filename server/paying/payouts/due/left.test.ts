// Leaving a program ends what is earned from then on, not what was earned: it is still paid, to details that can be changed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService } from '../../../../test/support/harness.ts';

const service = await openTestService();
after(() => service.close());

test('an affiliate who left is paid what was earned; one that the program archived is not', async () => {
  const { path, programId } = service.program;
  const portal = (noun: string) => `/app/portal/${programId}/${noun}`;
  const affiliates = await Promise.all(
    ['left', 'archived'].map((name) => anAffiliate(service, { status: 'active', email: `${name}@example.com` })),
  );
  const [left, archived] = affiliates;
  assert.ok(left && archived);
  for (const { id } of affiliates) {
    const bonus = { affiliateId: id, amountCents: 90_000, note: 'Spring' };
    assert.equal((await service.request('POST', `${path}/commissions`, { body: bonus })).status, 201);
    const details = { method: 'paypal', email: 'paid@example.com' };
    assert.equal((await service.request('POST', `${path}/affiliates/${id}/payout-details`, { body: details })).status, 201);
  }
  const ada = await service.asAffiliate(left);
  const { body: account } = await ada.request('GET', portal('account'), { key: null });
  assert.equal(account.unpaidCents, 90_000);
  assert.equal((await ada.request('POST', portal('leave'), { key: null, body: { referralCode: account.referralCode } })).status, 200);
  assert.equal((await service.request('PATCH', `${path}/affiliates/${archived.id}`, { body: { status: 'archived' } })).status, 200);
  assert.equal((await ada.request('GET', portal('account'), { key: null })).body.hasLeft, true);
  const { body } = await service.request('GET', `${path}/payouts/due`);
  assert.deepEqual(
    [body.due.map((one: { affiliateId: string }) => one.affiliateId), body.skipped.map((one: { reason: string }) => one.reason)],
    [[left.id], ['affiliate_not_active']],
  );
  const changed = await ada.request('POST', portal('payout-details'), { key: null, body: { method: 'paypal', email: 'new@example.com' } });
  assert.equal(changed.status, 200, changed.text);
  service.clock.advance({ days: 4 });
  const sent = await service.request('POST', `${path}/payouts/dispatch`, { body: {} });
  assert.deepEqual(
    sent.body.payouts.map((one: { affiliateId: string; amountCents: number }) => [one.affiliateId, one.amountCents]),
    [[left.id, 90_000]],
  );
  const again = await service.asAffiliate(left);
  const { body: payouts } = await again.request('GET', portal('payouts'), { key: null });
  assert.equal(payouts.total, 1);
  assert.equal((await again.request('GET', portal('statement'), { key: null })).status, 200);
});
