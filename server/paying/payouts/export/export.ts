// The file of a batch that people pay. It holds accounts, so it needs a writing key and leaves a trace; whatever is
// in it counts as on its way from then on.
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
import { openDestination } from '../../payout-details/payout-detail.ts';
import { batchSlot, readBatch } from '../batch.ts';
import { changeItems } from '../change.ts';
import type { Item } from '../payout.ts';
import { genericCsv, paypalCsv, wiseCsv } from './csv.ts';
import type { FileOf, Payable, Payer } from './payable.ts';
import { sepa } from './sepa.ts';

const formats = { generic_csv: genericCsv, paypal_csv: paypalCsv, wise_csv: wiseCsv, sepa } satisfies Record<string, FileOf>;

export const exportBatch = endpoint({
  id: 'payouts.exportBatch',
  route: 'GET /v1/programs/:programId/payouts/batches/:id/export',
  scope: 'write',
  tag: 'Payouts',
  summary: 'Download a payment file for a batch',
  description:
    'For batches that people pay (`manual`, `csv`). It holds what of the batch is not paid yet and fits the format; its payouts ' +
    'become `sent`. Asked for again, it is the same. This is the only answer that holds payout accounts: it needs the write scope.',
  path: { id: batchSlot },
  query: z.object({
    format: z
      .enum(['generic_csv', 'paypal_csv', 'wise_csv', 'sepa'])
      .default('generic_csv')
      .describe('paypal_csv holds PayPal accounts, wise_csv bank accounts and Wise recipients, sepa euros to IBANs.'),
  }),
  statuses: [200],
  media: ['text/csv', 'application/xml'],
  result: z.unknown(),
  errors: [
    { status: 400, code: 'paid_automatically', when: 'Its provider pays this batch.' },
    { status: 400, code: 'awaiting_approval', when: 'The batch is awaiting approval.' },
    { status: 422, code: 'nothing_to_export', when: 'The batch has no payouts left for this file format.' },
  ],
  async handle(tx, { actor, params: { id }, query: { format } }) {
    const { programId } = actor;
    const batch = await readBatch(tx, programId, id);
    if (getRailType(batch.rail).isAutomatic) {
      throw new InvalidState('paid_automatically', `${batch.rail} pays this batch; paying it from a file would pay it twice.`);
    }
    if (batch.status === 'awaiting_approval') throw new InvalidState('awaiting_approval', 'This batch is awaiting approval.');
    const payer = await readPayer(tx, programId, batch.providerId);
    if (format === 'sepa' && !payer.iban)
      throw new Invalid([{ path: ['format'], message: 'needs debtorIban in the settings of the provider' }]);
    const file = formats[format];
    // From here on nothing of the batch is cancelled or paid otherwise.
    await extendStatementTimeout(tx);
    const ledger = await openLedger(tx, programId);
    const left = await readPayables(tx, programId, id);
    const payables = left.filter(({ payable }) => file.fits(payable));
    if (payables.length === 0) throw new NothingToDo('nothing_to_export', 'The batch has no payouts left for this file format.');
    await changeItems(
      tx,
      ledger,
      payables.map(({ item }) => ({ item, to: 'sent' as const })),
      `api_key:${actor.id}`,
    );
    const at = tx.clock.now();
    await tx.db.updateTable('payoutBatches').set({ exportedAt: at }).where('programId', '=', programId).where('id', '=', id).execute();
    const after = { format, payouts: payables.length, leftOut: left.length - payables.length };
    await recordChange(tx, { programId, actor, action: 'payouts.exported', subjectId: id, after });
    const content = file.write(
      payables.map(({ payable }) => payable),
      { payer, batchId: id, at: new Date(batch.createdAt) },
    );
    return new Document(file.mediaType, content, `payouts-${batch.createdAt.slice(0, 10)}-${id.slice(-8)}.${file.extension}`);
  },
});

async function readPayer(tx: Tx, programId: string, providerId: string | null): Promise<Payer> {
  const { name } = await getProgram(tx, programId);
  const providers = tx.db.selectFrom('providers').select('config').where('programId', '=', programId);
  const provider = providerId ? await providers.where('id', '=', providerId).executeTakeFirst() : undefined;
  const config = (provider?.config ?? {}) as Record<string, unknown>;
  const text = (field: string) => (typeof config[field] === 'string' ? config[field] : null);
  return { name: text('debtorName') ?? name, iban: text('debtorIban'), bic: text('debtorBic') };
}

async function readPayables(tx: Tx, programId: string, batchId: string): Promise<{ item: Item; payable: Payable }[]> {
  const { rows } = await sql<Item & Pick<Payable, 'firstName' | 'lastName' | 'email'>>`
    select item.*, affiliate.first_name, affiliate.last_name, affiliate.email from payout_items as item
    join affiliates as affiliate on affiliate.program_id = item.program_id and affiliate.id = item.affiliate_id
    where item.program_id = ${programId} and item.batch_id = ${batchId} and item.status in ('queued', 'sent')
    order by item.affiliate_id for no key update of item`.execute(tx.db);
  return rows.map((row) => ({
    item: row,
    payable: { ...row, destination: row.destination && openDestination(tx.vault, row.destination, row.affiliateId) },
  }));
}
