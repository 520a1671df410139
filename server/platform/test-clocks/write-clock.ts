// The rows of test_clocks. Constraints decide: only a program in test mode has one, and a program that has one can't go live.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { systemTime } from '../lib/clock.ts';
import { expectChangedClocks } from './program-clock.ts';

/** The job that advances a clock. During an advance, the queue gets no other job of the program: they run in its steps. */
export const advanceJobName = 'testClock.advance';

/** Gives a new program in test mode its clock, which shows the time of the system. */
export async function addTestClock(tx: Tx, programId: string): Promise<void> {
  expectChangedClocks(tx);
  await tx.db.insertInto('testClocks').values({ programId }).execute();
}

/** Removes the clock of a program that goes live. False if it was ever advanced: the program's data is then in the future. */
export async function removeUnusedClock(tx: Tx, programId: string): Promise<boolean> {
  expectChangedClocks(tx);
  await sql`delete from test_clocks where program_id = ${programId} and offset_ms = 0 and advance_id is null`.execute(tx.db);
  return (await findTestClock(tx, programId)) === null;
}

export type TestClock = {
  offsetMs: number;
  advanceId: string | null;
  fromAt: Date | null;
  targetAt: Date | null;
  lastError: string | null;
};

/** The clock of a program in test mode; null for a live program. */
export async function findTestClock({ db }: Pick<Context, 'db'>, programId: string, { lock = false } = {}): Promise<TestClock | null> {
  const { rows } = await sql<TestClock>`
    select offset_ms, advance_id, from_at, target_at, last_error from test_clocks
    where program_id = ${programId} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0] ?? null;
}

type Advance = { programId: string; advanceId: string };

/** Records that an advance has started. The clock must be locked. */
export async function startAdvance(tx: Tx, { programId, advanceId }: Advance, { fromAt, targetAt }: { fromAt: Date; targetAt: Date }) {
  const started = { advanceId, fromAt, targetAt, lastError: null };
  await tx.db.updateTable('testClocks').set(started).where('programId', '=', programId).execute();
}

/**
 * Moves the clock forward to a time, unless the time has passed already. Waits for the program's transactions. False if the
 * advance has ended.
 */
export async function moveClock(tx: Tx, { programId, advanceId }: Advance, to: Date): Promise<boolean> {
  expectChangedClocks(tx);
  const offsetMs = to.getTime() - systemTime(tx).getTime();
  const { numAffectedRows = 0n } = await sql`
    update test_clocks set offset_ms = greatest(offset_ms, ${offsetMs}::bigint)
    where program_id = ${programId} and advance_id = ${advanceId}`.execute(tx.db);
  return numAffectedRows > 0n;
}

/** Ends an advance: the clock is ready. `error` is why it stopped early. */
export async function endAdvance(tx: Tx, { programId, advanceId }: Advance, error: string | null): Promise<void> {
  const ended = { advanceId: null, fromAt: null, targetAt: null, lastError: error };
  const clocks = tx.db.updateTable('testClocks').set(ended).where('programId', '=', programId);
  await clocks.where('advanceId', '=', advanceId).execute();
}
