// Emails each affiliate the statement of a month, once the month has ended in the time zone of the program. A schedule checks
// every hour, so a missed run is caught up. Starting a month inserts its row: the primary key decides which process
// does it, and the jobs that write the emails commit with it.

import { sql } from 'kysely';
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import type { Context, Tx } from '../../context.ts';
import { sendStatement } from '../../messaging/emails/kinds/earnings/statement.ts';
import { readSwitchedOff } from '../../messaging/emails/settings/switches.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { addMonths, localMonth, monthSpan } from '../../platform/lib/zoned-time.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job, jobName } from '../../platform/queue/job.ts';
import { readStatement } from './read-statement.ts';

type Statements = { programId: string; month: string; changeId: string; affiliateIds: string[] };

const statementsJob = jobName<Statements>('statements.email');

const dayMs = 86_400_000;
/** No emails are sent for months that ended longer ago: the service was installed later, or did not run. */
const maxAgeDays = 14;
/** Emails of one transaction. */
const chunkSize = 50;

export const startStatements = job<object>({
  name: 'statements.start',
  retries: 3,
  cron: '7 * * * *',
  async run(ctx) {
    const programs = await ctx.db.selectFrom('programs').select(['id', 'timezone']).where('deleteAfter', 'is', null).execute();
    const timezones = new Map(programs.map(({ id, timezone }) => [id, timezone]));
    await forEachProgram(ctx, {
      async run(programId, own) {
        const timezone = timezones.get(programId);
        if (timezone !== undefined) await startMonth(own, { programId, timezone });
      },
    });
  },
});

/** Queues the statements of the last month of a program, unless that was done before. */
export async function startMonth(ctx: Context, { programId, timezone }: { programId: string; timezone: string }): Promise<void> {
  const now = ctx.clock.now();
  const month = addMonths(localMonth(now, timezone), -1).slice(0, 7);
  const { from, to } = monthSpan(month, timezone);
  if (now.getTime() - to.getTime() > maxAgeDays * dayMs) return;
  if (await isStarted(ctx, programId, month)) return;
  await transact(ctx, async (tx) => {
    // Of two processes, the second one waits here until the first one has started the month.
    await lockPrograms(tx, [programId]);
    if (await isStarted(tx, programId, month)) return;
    const changeId = await recordChange(tx, {
      programId,
      actor: { kind: 'schedule', id: 'statements.start' },
      action: 'statements.emailed',
      subjectId: programId,
      after: { month },
    });
    await tx.db.insertInto('statementRuns').values({ programId, month, auditId: changeId, startedAt: now }).execute();
    if ((await readSwitchedOff(tx, programId)).includes('statement')) return;
    const affiliateIds = await findAffiliates(tx, programId, { from, to });
    for (let start = 0; start < affiliateIds.length; start += chunkSize) {
      const chunk = { programId, month, changeId, affiliateIds: affiliateIds.slice(start, start + chunkSize) };
      await tx.jobs.enqueue(tx, statementsJob, chunk);
    }
  });
}

async function isStarted({ db }: Pick<Context, 'db'>, programId: string, month: string): Promise<boolean> {
  const runs = db.selectFrom('statementRuns').select('month').where('programId', '=', programId).where('month', '=', month);
  return (await runs.executeTakeFirst()) !== undefined;
}

/** The affiliates with an entry in their accounts in this time. */
async function findAffiliates({ db }: Tx, programId: string, { from, to }: { from: Date; to: Date }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct affiliate_id as id from ledger_entries
    where program_id = ${programId} and created_at >= ${from} and created_at < ${to} and affiliate_id is not null
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export const emailStatements = job<Statements>({
  ...statementsJob,
  retries: 10,
  run: (ctx, data) => transact(ctx, (tx) => writeEmails(tx, data)),
});

/** Writes the statements that no run has written. A month in which money only moved between accounts has no lines. */
async function writeEmails(tx: Tx, { programId, month, changeId, affiliateIds }: Statements): Promise<void> {
  for (const affiliate of await lockUnwritten(tx, { programId, changeId, affiliateIds })) {
    const { summary, total } = await readStatement(tx, { programId, affiliateId: affiliate.id, month });
    if (total > 0) await sendStatement(tx, { programId, changeId, affiliate, sums: summary });
  }
}

/** Affiliates who left, or whose account was rejected or archived, get no statement. */
async function lockUnwritten(tx: Tx, { programId, changeId, affiliateIds }: Omit<Statements, 'month'>) {
  const affiliates = tx.db.selectFrom('affiliates').where('programId', '=', programId).where('id', 'in', affiliateIds);
  await affiliates.select('id').orderBy('id').forNoKeyUpdate().execute();
  const emails = tx.db.selectFrom('emails').select('affiliateId').where('programId', '=', programId).where('auditId', '=', changeId);
  const written = new Set((await emails.where('kind', '=', 'statement').execute()).map(({ affiliateId }) => affiliateId));
  const active = affiliates.select(['id', 'email', 'firstName']).where('status', 'in', ['active', 'suspended']);
  return (await active.orderBy('id').execute()).filter(({ id }) => !written.has(id));
}
