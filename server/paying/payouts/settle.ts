// What a rail says of payouts, brought into the ledger: one transaction for a group of words. Repeats, and words that
// come too late, change nothing.
import { sql } from 'kysely';
import type { Answer } from '../../connections/rails/rail.ts';
import type { Context, Tx } from '../../context.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { transact } from '../../platform/db/transact.ts';
import { type Change, changeItems, mayBecome } from './change.ts';
import { type Item, isOpen, lockItems } from './payout.ts';

export type Word = { itemId: string; answer: Answer };

const shortestPauseSeconds = 60;
const longestPauseSeconds = 6 * 3600;

/** Records what was reported. Returns the ids of the payouts that changed. */
export async function settle(ctx: Context, programId: string, words: readonly Word[], source: string): Promise<string[]> {
  if (words.length === 0) return [];
  return transact(ctx, async (tx) => {
    const ledger = await openLedger(tx, programId);
    const changed = new Set<string>();
    for (const turn of inTurns(words.flatMap(inSteps))) {
      const ids = turn.map(({ itemId }) => itemId);
      const items = new Map((await lockItems(tx, programId, ids)).map((item) => [item.id, item]));
      const changes = turn.flatMap(({ itemId, answer }) => {
        const item = items.get(itemId);
        return item ? [changeOf(item, answer, tx.clock.now())] : [];
      });
      for (const { item } of await changeItems(tx, ledger, changes, source)) changed.add(item.id);
      await postpone(tx, programId, changes);
    }
    return [...changed];
  });
}

/** What came back had arrived before. */
function inSteps(word: Word): Word[] {
  const { itemId, answer } = word;
  return answer.outcome === 'returned' ? [{ itemId, answer: { outcome: 'paid', reference: answer.reference } }, word] : [word];
}

/** Of two words about one payout, the second meets what the first made of it. */
function inTurns(words: readonly Word[]): Word[][] {
  const turns: Word[][] = [];
  const said = new Map<string, number>();
  for (const word of words) {
    const turn = said.get(word.itemId) ?? 0;
    said.set(word.itemId, turn + 1);
    turns[turn] = [...(turns[turn] ?? []), word];
  }
  return turns;
}

function changeOf(item: Item, answer: Answer, now: Date): Change {
  switch (answer.outcome) {
    case 'paid':
      return { item, to: 'paid', reference: answer.reference };
    case 'sent':
      return { item, to: 'sent', reference: answer.reference, nextLookAt: nextLook(item, now) };
    case 'failed':
      return { item, to: 'failed', reference: answer.reference, code: answer.code, reason: answer.reason };
    case 'returned':
      return { item, to: 'returned', reference: answer.reference, reason: answer.reason };
    case 'later':
      // Nothing was done this time; of an earlier try nobody knows.
      return {
        item,
        to: item.tries > 1 ? 'unknown' : 'queued',
        reason: answer.reason,
        nextLookAt: secondsFrom(now, answer.retryAfterSeconds),
      };
    case 'unknown':
      return { item, to: 'unknown', reference: answer.reference, reason: answer.reason, nextLookAt: nextLook(item, now) };
    default:
      return answer satisfies never;
  }
}

/** The longer it is open, the more seldom it is asked for: from a minute to six hours. */
function nextLook({ firstTriedAt }: Item, now: Date): Date {
  const age = (now.getTime() - (firstTriedAt ?? now).getTime()) / 1000;
  return secondsFrom(now, Math.min(Math.max(age / 2, shortestPauseSeconds), longestPauseSeconds));
}

function secondsFrom(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** An open payout of which nothing new was said is asked for again later. */
async function postpone(tx: Tx, programId: string, changes: readonly Change[]): Promise<void> {
  const waiting = changes.filter(({ item, to }) => !mayBecome(item, to) && isOpen(item.status));
  const rows = waiting.flatMap(({ item, nextLookAt }) => (nextLookAt ? [{ id: item.id, at: nextLookAt }] : []));
  if (rows.length === 0) return;
  await sql`update payout_items as item set next_look_at = word.at
    from json_to_recordset(${JSON.stringify(rows)}::json) as word (id uuid, at timestamptz)
    where item.program_id = ${programId} and item.id = word.id`.execute(tx.db);
}
