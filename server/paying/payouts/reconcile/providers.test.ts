// Every type of payout provider from dispatch to reconciliation. A list that names payments in its own way must not cause
// discrepancies, and a repeated request must never cause a second payment.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate, anOrder, aRule } from '../../../../test/support/builders.ts';
import { openTestService, type TestProgram, type TestService } from '../../../../test/support/harness.ts';
import { shuffled } from '../../../../test/support/rails/faults.ts';
import type { Simulator } from '../../../../test/support/rails/simulator.ts';
import { subjects } from '../../../../test/support/rails/subjects.ts';
import { checkInvariants } from '../../../operations/verify/invariants.ts';
import { followUp } from '../send/follow-up.ts';
import { sendQueued } from '../send/send.ts';

let service: TestService;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

for (const subject of subjects) {
  describe(`payouts by ${subject.type.type}`, () => {
    let rail: Simulator;
    let program: TestProgram;
    let affiliateId: string;
    let providerId: string;
    before(async () => {
      rail = await subject.start(() => service.clock.now());
      program = await service.newProgram(subject.type.type);
      const created = await send('POST', 'providers', { type: subject.type.type, name: 'Rail', ...subject.settings(rail.url) });
      assert.equal(created.status, 201, created.text);
      providerId = created.body.id;
      await aRule(service, { rate: 10 }, program);
      affiliateId = (await anAffiliate(service, { status: 'active' }, program)).id;
      const details = await send('POST', `affiliates/${affiliateId}/payout-details`, subject.destination('USD'));
      assert.equal(details.status, 201, details.text);
    });
    after(async () => {
      await rail.close();
      const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
      assert.deepEqual(broken, []);
    });

    const send = (method: string, path: string, body?: object) =>
      service.request(method, `${program.path}/${path}`, { key: program.key, body });
    const aPayout = async (): Promise<string> => {
      await anOrder(service, { affiliateId, amountCents: 123_450 }, program);
      service.clock.advance({ days: 31 });
      const { status, body, text } = await send('POST', 'payouts/dispatch', {});
      assert.equal(status, 201, text);
      return body.payouts[0].id;
    };
    const statusOf = async (id: string) => (await send('GET', `payouts/${id}`)).body.status;
    const untilFinal = async (id: string) => {
      for (let round = 0; round < 8 && !['paid', 'failed'].includes(await statusOf(id)); round += 1) {
        rail.settle();
        service.clock.advance({ seconds: 3600 });
        await followUp(service.ctx, program.programId);
      }
      return statusOf(id);
    };
    const compare = async () => {
      const { status, body, text } = await send('POST', 'payouts/reconcile', {});
      assert.deepEqual([status, body.isUnlocked, body.openDiscrepancies], [200, true, 0], text);
    };

    test('are paid once, and the records agree at every later comparison', async () => {
      const id = await aPayout();
      await service.drain();
      assert.equal(await untilFinal(id), 'paid');
      await compare();
      service.clock.advance({ days: 3 });
      await compare();
      const next = await aPayout();
      await sendQueued(service.ctx, program.programId);
      assert.equal(await untilFinal(next), 'paid');
      await compare();
      assert.deepEqual(
        rail.payments().map(({ paymentId, amountCents }) => [paymentId, amountCents]),
        [
          [id, 12_345],
          [next, 12_345],
        ],
      );
    });

    for (const mode of ['fail_after', 'reset_after', 'fail_before', 'take'] as const) {
      test(`are paid once when the provider does "${mode}"`, async () => {
        const earlier = rail.payments().length;
        rail.setMode((n) => (n === 0 ? mode : 'pay'));
        const id = await aPayout();
        await service.drain();
        assert.equal(await untilFinal(id), 'paid', mode);
        assert.deepEqual(
          rail
            .payments()
            .slice(earlier)
            .map(({ paymentId }) => paymentId),
          [id],
        );
        await compare();
      });
    }

    test('accept events in any order and number', async () => {
      rail.setMode('take');
      const id = await aPayout();
      await service.drain();
      rail.settle();
      for (const { headers, body } of shuffled(await rail.events(), { times: 3, seed: 5 })) {
        const answer = await service.request('POST', `/v1/providers/${providerId}/events`, { key: null, headers, body });
        assert.equal(answer.status, 200, answer.text);
      }
      await service.drain();
      const status = await statusOf(id);
      assert.ok(['paid', 'sent'].includes(status), status);
      assert.equal(await untilFinal(id), 'paid');
      await compare();
      rail.setMode('pay');
    });

    test('are paid in another currency that the affiliate chose, with the same amount in every record', async () => {
      const earlier = rail.payments().length;
      await service.request('PATCH', program.path, { key: program.key, body: { payoutCurrencies: ['EUR'] } });
      await send('PATCH', `providers/${providerId}`, { currencies: ['USD', 'EUR'] });
      const details = `affiliates/${affiliateId}/payout-details`;
      assert.equal((await send('POST', details, subject.destination('EUR'))).status < 300, true);
      assert.equal((await send('PATCH', details, { payoutCurrency: 'EUR' })).status, 200);
      await anOrder(service, { affiliateId, amountCents: 123_450 }, program);
      service.clock.advance({ days: 31 });
      const quotedOn = service.clock.now().toISOString().slice(0, 10);
      await send('POST', 'exchange-rates', { rates: [{ currency: 'EUR', quotedOn, rate: '1.0842' }] });
      rail.setMode((n) => (n === 0 ? 'reset_after' : 'pay'));
      const { payouts } = (await send('POST', 'payouts/dispatch', {})).body;
      await service.drain();
      assert.equal(await untilFinal(payouts[0].id), 'paid');
      const paid = rail.payments().slice(earlier);
      assert.deepEqual(
        paid.map(({ paymentId, amountCents, currency }) => [paymentId, amountCents, currency]),
        [[payouts[0].id, 11_386, 'EUR']],
      );
      service.clock.advance({ days: 3 });
      await compare();
    });
  });
}
