// Holding a commission back and letting it go on. What is held stays earned, but never matures and is
// never paid; let go, it stands where its own time puts it.
import { z } from 'zod';
import { recordChange } from '../audit/record.ts';
import type { Tx } from '../context.ts';
import { endpoint, type Principal as KeyActor } from '../http/endpoint.ts';
import { line } from '../http/fields.ts';
import { type Books, openBooks, post, type Transfer } from '../ledger/books.ts';
import { NothingToDo } from '../lib/errors.ts';
import { type Actor, changeStatus } from './change.ts';
import { CommissionShape, commissionSlot, lockCommissions, lockCommissionsOf, owedCents, type Row, readCommission } from './commission.ts';

const reason = line(500).describe('Why; the affiliate may read it.');

export const holdCommission = endpoint({
  id: 'commissions.hold',
  route: 'POST /v1/programs/:programId/commissions/:id/hold',
  scope: 'write',
  tag: 'Commissions',
  summary: 'Hold a commission',
  description: 'It neither matures nor is paid until it is released. What was paid already can’t be held: 422.',
  path: { id: commissionSlot },
  body: z.object({ reason }).meta({ id: 'Hold', example: { reason: 'Waiting for the return window' } }),
  statuses: [200],
  result: CommissionShape,
  refusals: { 422: 'There is nothing to hold: it is held, paid, reversed or rejected.' },
  handle: (tx, { actor, params, body }) => change(tx, actor, params.id, { action: 'hold', reason: body.reason }),
});

export const releaseCommission = endpoint({
  id: 'commissions.release',
  route: 'POST /v1/programs/:programId/commissions/:id/release',
  scope: 'write',
  tag: 'Commissions',
  summary: 'Release a held commission',
  description: 'It goes on from where its `maturesAt` puts it: payable when that has passed, else pending.',
  path: { id: commissionSlot },
  body: z.object({ reason: reason.optional() }).meta({ id: 'Release', example: { reason: 'Order checked' } }),
  statuses: [200],
  result: CommissionShape,
  refusals: { 422: 'It is not held.' },
  handle: (tx, { actor, params, body }) => change(tx, actor, params.id, { action: 'release', reason: body.reason ?? null }),
});

/** Holds what can be held of an order; posts nothing, gives the transfers. */
export async function holdCommissions(tx: Tx, books: Books, conversionId: string, because: Because): Promise<Transfer[]> {
  return hold(tx, books, await lockCommissionsOf(tx, books.programId, conversionId), because);
}

/** Releases what is held of an order. */
export async function releaseCommissions(tx: Tx, books: Books, conversionId: string, because: Because): Promise<Transfer[]> {
  return release(tx, books, await lockCommissionsOf(tx, books.programId, conversionId), because);
}

type Because = { actor: Actor; reason: string | null };

function hold(tx: Tx, books: Books, rows: readonly Row[], because: Because): Promise<Transfer[]> {
  const holdable = rows.filter((row) => row.status === 'pending' || (row.status === 'approved' && owedCents(row) !== 0));
  return changeStatus(tx, books, { rows: holdable, to: 'held', kind: 'hold' }, because);
}

async function release(tx: Tx, books: Books, rows: readonly Row[], because: Because): Promise<Transfer[]> {
  const held = rows.filter(({ status }) => status === 'held');
  const isDue = ({ maturesAt }: Row) => maturesAt <= tx.clock.now();
  const due = await changeStatus(tx, books, { rows: held.filter(isDue), to: 'approved', kind: 'mature' }, because);
  const early = await changeStatus(tx, books, { rows: held.filter((row) => !isDue(row)), to: 'pending', kind: 'mature' }, because);
  return [...due, ...early];
}

type Wanted = { action: 'hold' | 'release'; reason: string | null };

async function change(tx: Tx, { programId, keyId }: KeyActor, id: string, { action, reason: why }: Wanted) {
  const books = await openBooks(tx, programId);
  const [before] = await lockCommissions(tx, programId, [id]);
  if (!before) throw new Error('A commission that was found is gone.');
  const because = { actor: { kind: 'api_key' as const, id: keyId }, reason: why };
  await post(tx, books, await (action === 'hold' ? hold : release)(tx, books, [before], because));
  const after = await readCommission(tx, programId, id);
  if (after.status === before.status) {
    throw new NothingToDo(`nothing_to_${action}`, `This commission is ${before.status}: there is nothing to ${action}.`, {
      status: before.status,
    });
  }
  const doer = { kind: 'api_key' as const, id: keyId };
  const statuses = { before: { status: before.status }, after: { status: after.status, reason: why } };
  await recordChange(tx, { programId, doer, action: `commission.${action === 'hold' ? 'held' : 'released'}`, subjectId: id, ...statuses });
  return after;
}
