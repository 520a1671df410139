// Writers that invite affiliates one after another, and a log of acknowledged writes, compared with the database after the
// crash. The test process is never killed, so its log is complete.
import { elapse } from '../time/wait.ts';
import type { Answer } from './installation.ts';

export type Journal = {
  /** Every email that was ever sent, noted before it left. */
  sent: Set<string>;
  /** Those answered 201, noted before the next was sent. */
  acknowledged: Set<string>;
  /** Those that got a 503 or no response: they may be stored or not. */
  unanswered: Set<string>;
  /** What became of the unanswered, as found when they were repeated. */
  repeated: { stored: number; absent: number };
  /** Responses that may never arrive. */
  faults: string[];
};

export type Load = {
  /** How many were acknowledged by this load so far. */
  acknowledged(): number;
  /** From now on a writer may find no server, or receive a 503. */
  expectTrouble(): void;
  /** Lets every writer finish its request. */
  stop(): Promise<void>;
};

type Invite = (email: string) => Promise<Answer>;

const pauseAfterTroubleMs = 50;

export function emptyJournal(): Journal {
  return { sent: new Set(), acknowledged: new Set(), unanswered: new Set(), repeated: { stored: 0, absent: 0 }, faults: [] };
}

/** Starts `count` writers. Their emails begin with `round`, and none is sent twice. */
export function startWriters(invite: Invite, journal: Journal, { round, count }: { round: string; count: number }): Load {
  const state = { isStopped: false, isTroubleExpected: false, acknowledged: 0 };

  async function write(writer: number): Promise<void> {
    for (let number = 0; !state.isStopped; number += 1) {
      const email = `${round}-${writer}-${number}@crash.example`;
      journal.sent.add(email);
      const outcome = await answerOf(invite, email);
      if (outcome.status === 201) {
        journal.acknowledged.add(email);
        state.acknowledged += 1;
        continue;
      }
      journal.unanswered.add(email);
      const isTrouble = outcome.status === 503 || outcome.status === null;
      if (!isTrouble || !state.isTroubleExpected) journal.faults.push(`${email} → ${outcome.status ?? 'no response'}: ${outcome.text}`);
      await elapse(pauseAfterTroubleMs);
    }
  }

  const writers = Array.from({ length: count }, (_, writer) => write(writer));
  return {
    acknowledged: () => state.acknowledged,
    expectTrouble() {
      state.isTroubleExpected = true;
    },
    async stop() {
      state.isStopped = true;
      await Promise.all(writers);
    },
  };
}

/**
 * Repeats what was not answered, as a client would: 409 where it is stored, else 201. After that
 * each counts as acknowledged.
 */
export async function repeatUnanswered(invite: Invite, journal: Journal, stored: ReadonlySet<string>): Promise<void> {
  for (const email of journal.unanswered) {
    const { status, text } = await answerOf(invite, email);
    const due = stored.has(email) ? 409 : 201;
    journal.repeated[due === 409 ? 'stored' : 'absent'] += 1;
    if (status !== due) journal.faults.push(`repeated ${email} → ${status ?? 'no response'} instead of ${due}: ${text}`);
    journal.acknowledged.add(email);
  }
  journal.unanswered.clear();
}

/** Status null: the connection broke, or could not be made. */
async function answerOf(invite: Invite, email: string): Promise<{ status: number | null; text: string }> {
  return invite(email).catch((error: unknown) => ({ status: null, text: String(error) }));
}
