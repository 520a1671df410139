// Opens alerts for conditions that began, and resolves those whose condition has ended. A unique index decides which process
// opens an alert: only that process records the event and queues the emails, in the same transaction.
import { sql } from 'kysely';
import type { Context, Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { forAllPrograms, type ProgramFailure, type Scope, throwFailures } from '../../platform/queue/each-program.ts';
import { recordEvent } from '../events/record.ts';
import { type AlertKind, type AlertRow, toAlert } from './alert.ts';
import { alertOpened, alertResolved } from './events.ts';
import { sendAlert } from './notify.ts';

/** A condition that a check found. `subject` distinguishes the conditions of a kind in a program. */
export type Condition = { programId: string; subject: string; name: string | null; reason: string };

const watcher: Actor = { kind: 'schedule', id: 'alerts.watch' };

type Found = {
  conditions: readonly Condition[];
  /** A condition on `program_id`: the programs that were checked. The alerts of others stay as they are. */
  scope: Scope;
};

/**
 * Makes the open alerts of this kind equal these conditions, in the programs that were checked. Throws `ProgramsFailed` at the
 * end: one program that fails must not keep the alerts of the others from being sent.
 */
export async function updateAlerts(ctx: Context, kind: AlertKind, { conditions, scope }: Found): Promise<void> {
  const failures: ProgramFailure[] = [];
  const attempt = (one: { programId: string }, work: (tx: Tx) => Promise<void>): Promise<void> => change(ctx, one, work, failures);
  const alerts = forAllPrograms(ctx).selectFrom('alerts').selectAll().where(sql<boolean>`${scope}`).where('kind', '=', kind);
  const open = await alerts.where('status', '=', 'open').execute();
  const known = new Map(open.map((alert) => [keyOf(alert), alert]));
  const present = new Set(conditions.map(keyOf));
  for (const condition of conditions) {
    const alert = known.get(keyOf(condition));
    if (!alert) await attempt(condition, (tx) => openAlert(tx, kind, condition));
    else if (alert.reason !== condition.reason) await attempt(condition, (tx) => changeReason(tx, alert, condition.reason));
  }
  for (const alert of open) if (!present.has(keyOf(alert))) await attempt(alert, (tx) => resolveAlert(tx, alert));
  throwFailures(failures);
}

const keyOf = ({ programId, subject }: { programId: string; subject: string }) => `${programId} ${subject}`;

type Change = (tx: Tx) => Promise<void>;

async function change(ctx: Context, { programId }: { programId: string }, work: Change, failures: ProgramFailure[]): Promise<void> {
  await transact(ctx, work).catch((error: unknown) => {
    failures.push({ programId, error });
    ctx.log.error({ err: error, programId }, 'failed to update an alert');
  });
}

async function openAlert(tx: Tx, kind: AlertKind, condition: Condition): Promise<void> {
  const now = tx.clock.now();
  const opened = await tx.db
    .insertInto('alerts')
    .values({ ...condition, id: tx.ids.uuid(), kind, status: 'open', createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!opened) return;
  const { programId, id } = opened;
  tx.log.error({ alert: kind, programId, name: opened.name, reason: opened.reason }, 'an alert was opened');
  const after = { kind, name: opened.name, reason: opened.reason };
  const changeId = await recordChange(tx, { programId, actor: watcher, action: 'alert.opened', subjectId: id, after });
  await recordEvent(tx, { programId, actor: watcher }, alertOpened.of({ objectId: id, data: toAlert(opened) }));
  await sendAlert(tx, opened, changeId);
}

async function changeReason(tx: Tx, { programId, id }: AlertRow, reason: string): Promise<void> {
  const alerts = tx.db.updateTable('alerts').set({ reason, updatedAt: tx.clock.now() }).where('programId', '=', programId);
  await alerts.where('id', '=', id).where('status', '=', 'open').execute();
}

async function resolveAlert(tx: Tx, { programId, id }: AlertRow): Promise<void> {
  const now = tx.clock.now();
  const resolved = await tx.db
    .updateTable('alerts')
    .set({ status: 'resolved', resolvedAt: now, updatedAt: now })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst();
  if (!resolved) return;
  const before = { status: 'open' };
  await recordChange(tx, { programId, actor: watcher, action: 'alert.resolved', subjectId: id, before, after: { status: 'resolved' } });
  const event = alertResolved.of({ objectId: id, data: toAlert(resolved), previous: { status: 'open', resolvedAt: null } });
  await recordEvent(tx, { programId, actor: watcher }, event);
}
