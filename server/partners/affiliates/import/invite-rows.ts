// Invites several affiliates in one transaction. Each row has a savepoint, so that a rejected one doesn't stop the others.
import { sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { toApiError } from '../../../platform/db/constraints.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { ApiError, type Detail } from '../../../platform/lib/errors.ts';
import { invite } from '../invite.ts';
import { type CheckedRow, checkRows, reject, type SentRow } from './check-rows.ts';

export type InvitedRow = { line: number; email: string; id: string | null; details: Detail[] } & (
  | { outcome: 'invited' | 'existed'; reason: null }
  | { outcome: 'rejected'; reason: string }
);

type Inviter = { programId: string; actor: Actor; message?: string | null | undefined };

/** Invites the valid rows. Returns what became of each row, in their order. */
export async function inviteRows(tx: Tx, inviter: Inviter, rows: readonly SentRow[]): Promise<InvitedRow[]> {
  const outcomes: InvitedRow[] = [];
  for (const row of await checkRows(tx, inviter.programId, rows)) outcomes.push(await inviteRow(tx, inviter, row));
  return outcomes;
}

async function inviteRow(tx: Tx, { programId, actor, message }: Inviter, row: CheckedRow): Promise<InvitedRow> {
  const { line, email } = row;
  if (row.outcome === 'existed') return { line, email, id: null, outcome: 'existed', reason: null, details: [] };
  if (row.outcome === 'rejected') return { line, email, id: null, outcome: 'rejected', reason: row.reason, details: row.details };
  await sql`savepoint invitation`.execute(tx.db);
  try {
    const { id } = await invite(tx, { programId, actor }, row.invitation, { message });
    await sql`release savepoint invitation`.execute(tx.db);
    return { line, email, id, outcome: 'invited', reason: null, details: [] };
  } catch (error) {
    const known = error instanceof ApiError ? error : toApiError(error);
    // Deadlocks and timeouts repeat the whole transaction.
    if (!known || known.status >= 500) throw error;
    await sql`rollback to savepoint invitation`.execute(tx.db);
    if (known.code === 'email_taken') return { line, email, id: null, outcome: 'existed', reason: null, details: [] };
    return { line, email, id: null, ...reject(known) };
  }
}
