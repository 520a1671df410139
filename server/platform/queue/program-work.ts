// Which programs have work for the processes that look for it all the time. They ask this small table and not the rows of all
// programs. The transaction that causes work marks its program; a mark is removed when its work is done, and stays if the
// process ends before.
import { sql } from 'kysely';
import type pg from 'pg';
import type { Context, Tx } from '../../context.ts';
import { type Scope, togetherOrEach } from './each-program.ts';

/**
 * `events`: events that webhooks and postbacks have not read. `deliveries`: deliveries of webhooks that are pending.
 * `click_figures`: totals of clicks that are not in the figures of affiliates.
 */
const workKinds = ['events', 'deliveries', 'click_figures'] as const;
export type WorkKind = (typeof workKinds)[number];

/** `mark` changes whenever the program is marked again. */
export type Work = { programId: string; mark: string };

type Mark = { programId: string; kind: WorkKind; dueAt: Date };

/** Marks the program. Call it in the transaction that causes the work, after the rows of the work are written or locked. */
export async function markWork({ db, ids }: Pick<Context, 'db' | 'ids'>, { programId, kind, dueAt }: Mark): Promise<void> {
  await sql`
    insert into program_work as work (program_id, kind, due_at, mark) values (${programId}, ${kind}, ${dueAt}, ${ids.uuid()})
    on conflict on constraint program_work_pkey do update set mark = excluded.mark, due_at = least(work.due_at, excluded.due_at)`.execute(
    db,
  );
}

/** Marks every program: after a restore, what is left to do is unknown. Runs in the transaction of the restore. */
export async function markAllPrograms(client: pg.ClientBase): Promise<void> {
  await client.query(
    `insert into program_work (program_id, kind, due_at, mark)
     select id, kind, timestamptz 'epoch', gen_random_uuid() from programs cross join unnest($1::text[]) as kind
     on conflict on constraint program_work_pkey do update set mark = excluded.mark, due_at = excluded.due_at`,
    [workKinds],
  );
}

type Ctx = Pick<Context, 'db' | 'allProgramsDb' | 'clock' | 'config' | 'log'>;

/**
 * The programs with work of this kind that is due by their clocks, the longest first. If they can't be read together, those that
 * respond.
 */
export async function findWork(ctx: Ctx, kind: WorkKind): Promise<Work[]> {
  const select = (scope: Scope, { clock }: Ctx) => sql<Work>`
    select program_id, mark from program_work where kind = ${kind} and due_at <= ${clock.now()} and ${scope} order by due_at`;
  const found: Work[] = [];
  const read = async (scope: Scope, _programId: string | null, own: Ctx) =>
    void found.push(...(await select(scope, own).execute(own.db)).rows);
  await togetherOrEach(ctx, read).catch(() => {});
  return found;
}

/**
 * Removes the mark of a program in the transaction that does its work, and returns when its work began; null without a mark. Work
 * that is caused at the same time waits, or is seen by the statements that follow.
 */
export async function takeWork({ db }: Pick<Tx, 'db'>, programId: string, kind: WorkKind): Promise<Date | null> {
  const { rows } = await sql<{ dueAt: Date }>`
    delete from program_work where program_id = ${programId} and kind = ${kind} returning due_at`.execute(db);
  return rows[0]?.dueAt ?? null;
}

/** Removes the mark, or moves it to `nextAt`, unless the program has been marked again since the work was found. */
export async function finishWork(
  { db }: Pick<Context, 'db'>,
  kind: WorkKind,
  { programId, mark }: Work,
  nextAt: Date | null = null,
): Promise<void> {
  if (nextAt === null)
    await sql`delete from program_work where program_id = ${programId} and kind = ${kind} and mark = ${mark}`.execute(db);
  else
    await sql`update program_work set due_at = ${nextAt} where program_id = ${programId} and kind = ${kind} and mark = ${mark}`.execute(db);
}
