// Commands that check an installation: schema, data, settings.
import type { Command } from 'commander';
import { sql } from 'kysely';
import type { Service } from '../../compose.ts';
import { readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { recountStatuses, recountTotals } from '../../partners/affiliates/totals/recount.ts';
import { transact } from '../../platform/db/transact.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { json, step } from './print.ts';
import { withService } from './run.ts';
import { countAll } from './secrets.ts';

export function checkCommands(cli: Command): void {
  cli
    .command('migrate')
    .description('apply missing schema migrations (serve also does this)')
    .option('--json', 'print JSON')
    .action(migrateNow);
  cli
    .command('verify')
    .description('check that the data is consistent; exits 1 when it is not')
    .option('--repair', 'first rebuild lifetime totals and counts from their rows')
    .option('--json', 'print JSON')
    .action(verify);
  cli.command('doctor').description('check this machine and its settings').option('--json', 'print JSON').action(doctor);
}

async function migrateNow({ json: asJson }: { json?: boolean }): Promise<void> {
  await withService('migrate', async ({ database }) => {
    if (asJson) return json({ migrated: database.migrated });
    step('Schema', database.migrated.length === 0 ? 'up to date' : `applied ${database.migrated.join(', ')}`);
  });
}

async function verify({ repair: shouldRepair, json: asJson }: { repair?: boolean; json?: boolean }): Promise<void> {
  await withService('verify', async (service) => {
    if (shouldRepair) await repair(service);
    const findings = await checkInvariants(service.ctx);
    const isWhole = findings.every(({ broken }) => broken.length === 0);
    if (asJson) json({ isWhole, findings });
    else
      for (const { name, broken } of findings)
        step(broken.length === 0 ? 'ok' : 'FAILED', `${name}${example(broken)}`, broken.length === 0);
    if (!isWhole) process.exitCode = 1;
  });
}

function example(broken: unknown[]): string {
  return broken.length === 0 ? '' : `: ${broken.length} found, first ${JSON.stringify(broken[0])}`;
}

async function repair({ ctx }: Service): Promise<void> {
  for (const { id } of await ctx.db.selectFrom('programs').select('id').execute()) {
    await transact(ctx, async (tx) => {
      await sql`set local statement_timeout = '10min'`.execute(tx.db);
      await tx.db.selectFrom('affiliates').select('id').where('programId', '=', id).orderBy('id').forNoKeyUpdate().execute();
      await recountTotals(tx, id);
      await recountStatuses(tx, id);
    });
  }
}

type Check = { name: string; isGood: boolean; finding: string };

async function doctor({ json: asJson }: { json?: boolean }): Promise<void> {
  const checks: Check[] = [{ name: 'Node', isGood: Number(process.versions.node.split('.')[0]) >= 24, finding: process.versions.node }];
  const config = readConfig(process.env);
  checks.push({ name: 'Settings', isGood: true, finding: 'all valid' });
  await withService('doctor', async ({ ctx, database }) => {
    checks.push({
      name: 'Database',
      isGood: true,
      finding: `PostgreSQL ${database.version}, ${config.databaseUrl ? 'DATABASE_URL' : config.dataDir}`,
    });
    const { rows } = await sql<{
      skew: number;
    }>`select abs(extract(epoch from clock_timestamp() - ${ctx.clock.now()}::timestamptz))::float8 as skew`.execute(ctx.db);
    const skewSeconds = rows[0]?.skew ?? 0;
    checks.push({
      name: 'Ledger',
      isGood: database.isProtected,
      finding: database.isProtected
        ? 'entries can only be appended'
        : 'not protected: grant CREATEROLE to the database account, so that entries can only be appended',
    });
    checks.push({ name: 'Clock', isGood: skewSeconds < 5, finding: `differs from the database by ${skewSeconds.toFixed(1)} s` });
    checks.push({
      name: 'Schema',
      isGood: true,
      finding: database.migrated.length === 0 ? 'up to date' : `${database.migrated.length} missing migrations applied`,
    });
    checks.push(await checkSecrets(ctx));
    const { count } = await ctx.db
      .selectFrom('emails')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('status', '=', 'failed')
      .executeTakeFirstOrThrow();
    checks.push({
      name: 'Email',
      isGood: count === 0,
      finding: `${config.smtpUrl ? 'SMTP_URL is set' : 'stored but not sent: SMTP_URL is not set'}${count ? `, ${count} failed` : ''}`,
    });
  });
  if (asJson) json({ isHealthy: checks.every(({ isGood }) => isGood), checks });
  else for (const { name, isGood, finding } of checks) step(name, finding, isGood);
  if (!checks.every(({ isGood }) => isGood)) process.exitCode = 1;
}

/** Whether every encrypted value can be decrypted with the keys of this process. */
async function checkSecrets({ db, vault }: Context): Promise<Check> {
  const counts = await countAll({ db });
  const lost = [...counts].filter(([name]) => !vault.keyNames.includes(name));
  const lostCount = lost.reduce((all, [, count]) => all + count, 0);
  const finding =
    lostCount > 0
      ? `${lostCount} encrypted values can't be decrypted: missing keys ${lost.map(([name]) => name).join(', ')}`
      : `every encrypted value can be decrypted (${vault.keyNames.length === 1 ? '1 key' : `${vault.keyNames.length} keys`})`;
  return { name: 'Secrets', isGood: lostCount === 0, finding };
}
