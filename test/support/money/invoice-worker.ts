// A process that issues invoices on several connections at once, without the lock of the ledger: only the counter keeps their
// numbers apart. Every third transaction is rolled back after it took its number, and tried again. A payout that has an invoice is rejected.

import { issueInvoices } from '../../../server/paying/invoices/issue.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import { openWorkerContext, type WorkerConnection } from '../crash/worker-context.ts';

export type InvoiceWorkerOptions = {
  connection: WorkerConnection;
  vaultKey: string;
  programId: string;
  payouts: { id: string; affiliateId: string; amountCents: number; currency: string }[];
  connections: number;
};

class RolledBack extends Error {}

const isIssuedBefore = (error: unknown) => error instanceof Error && 'constraint' in error && error.constraint === 'invoices_payout_unique';

if (process.argv[2]) await work(JSON.parse(process.argv[2]) as InvoiceWorkerOptions);

async function work({ connection, vaultKey, programId, payouts, connections }: InvoiceWorkerOptions): Promise<void> {
  const ctx = openWorkerContext({ connection, vaultKey, clock: { now: () => new Date() } });
  const waiting = [...payouts];
  let count = 0;
  const issue = async (): Promise<void> => {
    for (let payout = waiting.shift(); payout; payout = waiting.shift()) {
      count += 1;
      const isRolledBack = count % 3 === 0;
      const change = { payout, to: 'paid' };
      try {
        await transact(ctx, async (tx) => {
          await issueInvoices(tx, { programId, timezone: 'Europe/Berlin' }, [change], { kind: 'schedule', id: 'test' });
          if (isRolledBack) throw new RolledBack();
        });
        process.stdout.write('issued\n');
      } catch (error) {
        if (error instanceof RolledBack) waiting.push(payout);
        else if (!isIssuedBefore(error)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, issue));
  process.exit(0);
}
