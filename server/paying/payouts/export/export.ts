// Creates the payment file of a batch that is paid manually. The file contains payout accounts, so it requires the write
// scope and is audited. The payouts in it are `sent` from then on.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { getRailType } from '../../../connections/rails/index.ts';
import type { Tx } from '../../../context.ts';
import { openLedger } from '../../../earning/ledger/post.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { extendStatementTimeout } from '../../../platform/db/statement-timeout.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { Invalid, InvalidState, NothingToDo } from '../../../platform/lib/errors.ts';
import { decryptDestination } from '../../payout-details/payout-details.ts';
import { batchSlot, readBatch } from '../batches/batch.ts';
import { changePayouts } from '../change-payouts.ts';
import { paymentOf } from '../exchange/payout-exchange.ts';
import type { Payout } from '../payout.ts';
import { genericCsv, paypalCsv, wiseCsv } from './csv.ts';
import type { FileFormat, FilePayment, Payer } from './payment-file.ts';
import { sepa } from './sepa.ts';

const formats = { generic_csv: genericCsv, paypal_csv: paypalCsv, wise_csv: wiseCsv, sepa } satisfies Record<string, FileFormat>;

export const exportBatch = endpoint({
  id: 'payoutBatches.export',
  route: 'POST /v1/programs/:programId/payouts/batches/:id/export',
  scope: 'write',
  requires: 'payouts.prepare',
  isSensitive: true,
  movesMoney: true,
  tag: 'Payouts',
  summary: 'Create a payment file for a batch',
  description:
    'For batches that are paid manually (`manual`, `csv`). The file contains the unpaid payouts of the batch that the format ' +
    'supports; they become `sent`. Repeating the request returns the same file. No other response contains payout accounts.',
  path: { id: batchSlot },
  body: z
    .object({
      format: z
        .enum(['generic_csv', 'paypal_csv', 'wise_csv', 'sepa'])
        .default('generic_csv')
        .describe('`paypal_csv`: PayPal accounts. `wise_csv`: bank accounts and Wise recipients. `sepa`: euro payments to IBANs.'),
    })
    .meta({ id: 'ExportBatch', example: { format: 'sepa' } }),
  statuses: [200],
  media: ['text/csv', 'application/xml'],
  result: z.string().meta({ example: 'pat@example.com,128.50,USD,7c2f907a139b2c4d5e6f708192,Your commission,PAYPAL\r\n' }),
  errors: [
    { status: 400, code: 'paid_automatically', when: 'The payout provider pays this batch automatically.' },
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    { status: 400, code: 'format_not_supported', when: 'No unpaid payout of the batch can be paid from a file of this format.' },
    { status: 422, code: 'nothing_to_export', when: 'The batch has no unpaid payouts.' },
  ],
  async handle(tx, { actor, params: { id }, body: { format } }) {
    const { programId } = actor;
    const batch = await readBatch(tx, programId, id);
    if (getRailType(batch.providerType).isAutomatic) {
      throw new InvalidState('paid_automatically', `${batch.providerType} pays this batch; paying it from a file would pay it twice.`);
    }
    if (batch.status === 'awaiting_approval') throw new InvalidState('awaiting_approval', 'This batch is awaiting approval.');
    const payer = await readPayer(tx, programId, batch.providerId);
    if (format === 'sepa' && !payer.iban) {
      throw new Invalid([{ path: ['format'], message: "requires `payerIban` in the provider's `config`" }]);
    }
    const file = formats[format];
    // With the ledger locked, no payout of the batch can be cancelled or paid in the meantime.
    await extendStatementTimeout(tx);
    const ledger = await openLedger(tx, programId);
    const unpaid = await readUnpaid(tx, programId, id);
    if (unpaid.length === 0) throw new NothingToDo('nothing_to_export', 'This batch has no unpaid payouts.');
    const exported = unpaid.filter(({ payment }) => file.supports(payment));
    if (exported.length === 0) {
      const message = 'No unpaid payout of this batch can be paid from a file of this format. Choose another format.';
      throw new InvalidState('format_not_supported', message);
    }
    const changes = exported.map(({ payout }) => ({ payout, to: 'sent' as const }));
    await changePayouts(tx, ledger, changes, actor);
    const exportedAt = tx.clock.now();
    await tx.db.updateTable('payoutBatches').set({ exportedAt }).where('programId', '=', programId).where('id', '=', id).execute();
    const after = { format, payouts: exported.length, leftOut: unpaid.length - exported.length };
    await recordChange(tx, { programId, actor, action: 'payouts.exported', subjectId: id, after });
    const payments = exported.map(({ payment }) => payment);
    const content = file.write(payments, { payer, batchId: id, createdAt: new Date(batch.createdAt) });
    return new Document(file.mediaType, content, `payouts-${batch.createdAt.slice(0, 10)}-${id.slice(-8)}.${file.extension}`);
  },
});

const PayerConfig = z.object({ payerName: z.string().optional(), payerIban: z.string().optional(), payerBic: z.string().optional() });

async function readPayer(tx: Tx, programId: string, providerId: string | null): Promise<Payer> {
  const { name } = await getProgram(tx, programId);
  const providers = tx.db.selectFrom('providers').select('config').where('programId', '=', programId);
  const provider = providerId ? await providers.where('id', '=', providerId).executeTakeFirst() : undefined;
  const { payerName, payerIban, payerBic } = PayerConfig.parse(provider?.config ?? {});
  return { name: payerName ?? name, iban: payerIban ?? null, bic: payerBic ?? null };
}

async function readUnpaid(tx: Tx, programId: string, batchId: string): Promise<{ payout: Payout; payment: FilePayment }[]> {
  const { rows } = await sql<Payout & Pick<FilePayment, 'firstName' | 'lastName' | 'email'>>`
    select payout.*, affiliate.first_name, affiliate.last_name, affiliate.email from payouts as payout
    join affiliates as affiliate on affiliate.program_id = ${programId} and affiliate.id = payout.affiliate_id
    where payout.program_id = ${programId} and payout.batch_id = ${batchId} and payout.status in ('queued', 'sent')
    order by payout.affiliate_id for no key update of payout`.execute(tx.db);
  return rows.map((row) => ({
    payout: row,
    payment: { ...row, ...paymentOf(row), destination: row.destination && decryptDestination(tx.vault, row.destination, row.affiliateId) },
  }));
}
