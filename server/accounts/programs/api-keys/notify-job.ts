// Notifies the owners of a program by email when a key is created, rotated or revoked, in case it wasn't one of them. The
// job is stored in the transaction of the change (messaging/emails/kinds/key-notice.ts sends it).
import type { Tx } from '../../../context.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { jobName } from '../../../platform/queue/job.ts';

export type KeyEvent = 'created' | 'rotated' | 'revoked';

export type KeyNotice = {
  /** Becomes the Message-ID, so that a repetition can be recognized. */
  id: string;
  programId: string;
  event: KeyEvent;
  name: string;
  canWrite: boolean;
  expiresAt: string | null;
  /** The user who made the change; null for the command line. */
  userId: string | null;
  at: string;
};

export const keyNoticeJob = jobName<KeyNotice>('programs.send_key_notice');

type Change = {
  programId: string;
  event: KeyEvent;
  key: { name: string; scopes: readonly string[]; expiresAt: Date | null };
  actor: Actor;
};

/** Queues the emails about one change, unless no mail server is configured. */
export async function notifyOwners(tx: Tx, { programId, event, key, actor }: Change): Promise<void> {
  if (!tx.mailer) return;
  await tx.jobs.enqueue(tx, keyNoticeJob, {
    id: tx.ids.uuid(),
    programId,
    event,
    name: key.name,
    canWrite: key.scopes.includes('write'),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    userId: actor.kind === 'user' ? actor.id : null,
    at: systemTime(tx).toISOString(),
  });
}
