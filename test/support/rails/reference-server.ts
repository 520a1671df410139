// The reference server of the documentation behind the faults of the conformance suite: what we document works.
import { createPayoutServer } from '../../../docs/examples/external-webhook-server.ts';
import { externalSecret } from './external.ts';
import { faults, type Reply } from './faults.ts';
import { type Asked, type Simulator, serve } from './simulator.ts';

type Transfer = Parameters<typeof createPayoutServer>[0]['transfer'];

export async function startReferenceServer({ now }: { now: () => Date }): Promise<Simulator> {
  const events: { id: string; text: string }[] = [];
  const fault = faults();
  let transfer: Transfer = ({ amountCents }) => ({ status: 'paid', amountCents });
  const reference = createPayoutServer({
    secret: externalSecret,
    now,
    pageSize: 2,
    transfer: (payout) => transfer(payout),
    notify: (event) => events.push({ id: `evt_${events.length}`, text: JSON.stringify(event) }),
  });
  const answerBy = (by: Transfer, { body }: Asked): Reply => {
    transfer = by;
    return reference.answer(body);
  };
  const server = await serve(async (asked) => {
    if (!reference.isSigned(asked.headers, asked.body)) return { status: 401, body: {} };
    if (JSON.parse(asked.body).type !== 'payout.pay') return reference.answer(asked.body);
    return fault.pass({
      pay: ({ extraCents, settled }) =>
        answerBy(({ amountCents }) => ({ status: settled ? 'paid' : 'sent', amountCents: amountCents + extraCents }), asked),
      reject: () => answerBy(({ amountCents }) => ({ status: 'failed', code: 'account_closed', amountCents }), asked),
    });
  });
  const records = () =>
    [...reference.payouts.values()].flatMap(({ payoutId: paymentId, status, ...row }) =>
      status === 'failed' ? [] : [{ ...row, paymentId, state: status }],
    );
  return {
    ...server,
    payments: records,
    setMode: fault.setMode,
    // It keeps its keys permanently, as the documentation asks.
    forgetKeys: () => {},
    settle() {
      fault.settle();
      for (const { paymentId, state } of records()) if (state === 'sent') reference.change(paymentId, 'paid');
    },
    returnPayment: (paymentId) => reference.change(paymentId, 'returned'),
    events: async () =>
      events.map(({ id, text }) => ({
        headers: { 'content-type': 'application/json', ...reference.signedHeaders(id, text) },
        body: Buffer.from(text),
      })),
  };
}
