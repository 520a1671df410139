// Commands that check an installation: its schema, its data, its settings.
import type { Command } from 'commander';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Service } from '../../compose.ts';
import { readConfig } from '../../config.ts';
import type { Context, Tx } from '../../context.ts';
import { recountCommissions } from '../../earning/commissions/counts.ts';
import { findUnquotedPrograms } from '../../earning/exchange-rates/ecb/quoted-currencies.ts';
import { recountEntries } from '../../earning/ledger/entry-counts.ts';
import { openLedger } from '../../earning/ledger/post.ts';
import { recountConversionTotals } from '../../earning/orders/totals.ts';
import { rebuildOrders } from '../../earning/orders/write-orders.ts';
import { encryptedColumns } from '../../encrypted.ts';
import { testMailServer } from '../../messaging/emails/mailer.ts';
import { rebuildDailyTotals } from '../../partners/affiliates/totals/rebuild-daily-totals.ts';
import { recountStatuses, recountTotals } from '../../partners/affiliates/totals/recount.ts';
import { appRole } from '../../platform/db/app-role.ts';
import { type Cluster, findNodeFaults } from '../../platform/db/cluster/cluster.ts';
import { judgeVersion } from '../../platform/db/cluster/judge-version.ts';
import { isNodeDown } from '../../platform/db/statements/sql-state.ts';
import { transact } from '../../platform/db/transact.ts';
import { readFreeze } from '../../platform/freeze/freeze.ts';
import { explainUntrustedProxies, listUntrustedProxies } from '../../platform/http/proxies/untrusted-proxies.ts';
import { tryEachProgram } from '../../platform/queue/each-program.ts';
import { alertInvariants } from '../verify/alert.ts';
import { checkDecryption } from '../verify/decryption.ts';
import { checkPrograms } from '../verify/invariants.ts';
import { formatCount, formatTime, printJson, printStep } from './print.ts';
import { withService } from './run.ts';
import { countEncryptedValues } from './secrets.ts';

export function checkCommands(cli: Command): void {
  cli.command('doctor').option('--json', 'Print JSON').action(runDoctor);
  cli.command('verify').option('--repair', 'First recalculate lifetime totals and counts').option('--json', 'Print JSON').action(verify);
  cli
    .command('migrate')
    .option('--distribute', 'Then distribute the tables over the nodes of a Citus cluster')
    .option('--json', 'Print JSON')
    .action(migrate);
}

type JsonOption = { json?: boolean };

async function migrate({ distribute: isDistributing = false, json }: JsonOption & { distribute?: boolean }): Promise<void> {
  const print = async ({ database: { migrated, distributed } }: Service) => {
    if (json) return printJson(distributed ? { migrated, distributed } : { migrated });
    printStep('Schema', migrated.length === 0 ? 'up to date' : `applied ${migrated.join(', ')}`);
    if (distributed)
      printStep('Cluster', `distributed ${formatCount(distributed.tables, 'table')} over ${formatCount(distributed.nodes, 'node')}`);
  };
  await withService('migrate', print, { isDistributing });
}

async function verify({ repair: shouldRepair, json }: JsonOption & { repair?: boolean }): Promise<void> {
  await withService('verify', async (service) => {
    if (shouldRepair) await repair(service);
    const { failures, ...report } = await checkPrograms(service.ctx);
    const findings = [...report.findings, await checkDecryption(service.ctx, encryptedColumns)];
    await alertInvariants(service.ctx, { findings, failures });
    const isConsistent = failures.length === 0 && findings.every(({ broken }) => broken.length === 0);
    const failedPrograms = failures.map(({ programId, error }) => ({ programId, error: String(error) }));
    if (json) printJson({ isConsistent, findings, failedPrograms });
    else {
      for (const { name, broken } of findings)
        printStep(broken.length === 0 ? 'ok' : 'FAILED', `${name}${describeViolations(broken)}`, broken.length === 0);
      for (const { programId, error } of failedPrograms) printStep('FAILED', `program ${programId} could not be checked: ${error}`, false);
    }
    if (!isConsistent) process.exitCode = 1;
  });
}

function describeViolations(rows: unknown[]): string {
  return rows.length === 0 ? '' : `: ${formatCount(rows.length, 'violation')}, first: ${JSON.stringify(rows[0])}`;
}

async function repair({ ctx }: Service): Promise<void> {
  const failures = await tryEachProgram(ctx, { run: (programId) => transact(ctx, (tx) => repairProgram(tx, programId)) });
  for (const { programId, error } of failures) printStep('FAILED', `program ${programId} could not be repaired: ${String(error)}`, false);
  if (failures.length > 0) process.exitCode = 1;
}

async function repairProgram(tx: Tx, programId: string): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(tx.db);
  await openLedger(tx, programId);
  await tx.db.selectFrom('affiliates').select('id').where('programId', '=', programId).orderBy('id').forNoKeyUpdate().execute();
  await recountTotals(tx, programId);
  await recountStatuses(tx, programId);
  await rebuildDailyTotals(tx, programId);
  await rebuildOrders(tx, programId);
  await recountConversionTotals(tx, programId);
  await recountCommissions(tx, programId);
  await recountEntries(tx, programId);
}

type Check = { name: string; isGood: boolean; finding: string };

async function runDoctor({ json }: JsonOption): Promise<void> {
  const major = Number(process.versions.node.split('.')[0]);
  const checks: Check[] = [{ name: 'Node', isGood: major >= 24, finding: process.versions.node }];
  const config = readConfig(process.env);
  checks.push({ name: 'Settings', isGood: true, finding: 'valid' });
  await withService('doctor', async ({ ctx, pool, database }) => {
    const place = config.databaseUrl ? 'DATABASE_URL' : config.dataDir;
    checks.push({ name: 'Database', isGood: true, finding: `PostgreSQL ${database.version}, ${place}` });
    checks.push({ name: 'Schema', isGood: true, finding: describeMigrations(database.migrated.length) });
    checks.push({ name: 'Ledger', isGood: database.isProtected, finding: describeProtection(database.isProtected) });
    checks.push(
      await checkClock(ctx),
      await onAllNodes('Secrets', () => checkSecrets(ctx)),
      await onAllNodes('Email', () => checkEmails(ctx)),
      checkAddress(ctx),
      await checkProxies(ctx),
      await checkFreeze(ctx),
      await checkStandby(ctx),
      await checkRates(ctx),
      ...(await checkCluster(pool, database)),
    );
  });
  const isHealthy = checks.every(({ isGood }) => isGood);
  if (json) printJson({ isHealthy, checks });
  else for (const { name, isGood, finding } of checks) printStep(name, finding, isGood);
  if (!isHealthy) process.exitCode = 1;
}

/** A check that reads the rows of all programs, which fails while a node of a cluster is down. */
async function onAllNodes(name: string, check: () => Promise<Check>): Promise<Check> {
  return check().catch((error: unknown) => {
    if (!isNodeDown(error)) throw error;
    return { name, isGood: false, finding: 'not checked, because a node of the cluster does not respond' };
  });
}

function describeMigrations(count: number): string {
  return count === 0 ? 'up to date' : `${formatCount(count, 'pending migration')} applied`;
}

function describeProtection(isProtected: boolean): string {
  return isProtected
    ? 'append-only'
    : 'not protected: grant CREATEROLE to the database account, so that ledger entries can only be appended';
}

/** The embedded database and a single machine have none, so that is not a fault. */
async function checkStandby({ db }: Context): Promise<Check> {
  const { rows } = await sql<{ isSynchronous: boolean; standbys: number }>`
    select current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') in ('on', 'remote_apply')
      as "isSynchronous", (select count(*) from pg_stat_replication)::int as standbys`.execute(db);
  const { isSynchronous = false, standbys = 0 } = rows[0] ?? {};
  const count = standbys === 0 ? 'none' : formatCount(standbys, 'standby', 'standbys');
  const effect = isSynchronous ? 'commits wait for it, so a failover loses nothing' : 'not synchronous, so a failover can lose commits';
  return {
    name: 'Standby',
    isGood: !(isSynchronous && standbys === 0),
    finding: standbys === 0 && !isSynchronous ? count : `${count}; ${effect}`,
  };
}

async function checkRates(ctx: Context): Promise<Check> {
  const programs = await findUnquotedPrograms(ctx);
  const named = programs.map(({ name, currency }) => `${name} (${currency})`).join(', ');
  return {
    name: 'Exchange rates',
    isGood: programs.length === 0,
    finding: programs.length === 0 ? 'ok' : `the European Central Bank doesn't quote the currency of ${named}: upload rates instead`,
  };
}

/** Nothing on one PostgreSQL. */
async function checkCluster(pool: pg.Pool, { cluster, isProtected }: Service['database']): Promise<Check[]> {
  if (!cluster) return [];
  const faults = await findFaults(pool, { cluster, isProtected });
  const { isGood, finding } = judgeVersion(cluster.version);
  const place = `${finding}, ${formatCount(cluster.nodes.length, 'node')}`;
  if (faults.length === 0) return [{ name: 'Cluster', isGood, finding: place }];
  return [{ name: 'Cluster', isGood: false, finding: [place, ...faults].join('; ') }];
}

async function findFaults(pool: pg.Pool, { cluster, isProtected }: { cluster: Cluster; isProtected: boolean }): Promise<string[]> {
  const missing = cluster.undistributed;
  const faults = missing.length > 0 ? [`not distributed: ${missing.join(', ')} (run "migrate --distribute")`] : [];
  const client = await pool.connect();
  try {
    return [...faults, ...(await findNodeFaults(client, isProtected ? appRole : null))];
  } finally {
    client.release();
  }
}

async function checkClock(ctx: Context): Promise<Check> {
  const { rows } = await sql<{ skew: number }>`
    select abs(extract(epoch from clock_timestamp() - ${ctx.clock.now()}::timestamptz))::float8 as skew`.execute(ctx.db);
  const skewSeconds = rows[0]?.skew ?? 0;
  return { name: 'Clock', isGood: skewSeconds < 5, finding: `differs from the database clock by ${skewSeconds.toFixed(1)} s` };
}

/** Whether every encrypted value can be decrypted with the keys of this process. */
async function checkSecrets({ db, vault }: Context): Promise<Check> {
  const counts = await countEncryptedValues({ db });
  const missing = [...counts].filter(([name]) => !vault.keyNames.includes(name));
  const unreadable = missing.reduce((sum, [, count]) => sum + count, 0);
  const finding =
    unreadable > 0
      ? `${formatCount(unreadable, 'encrypted value')} can't be decrypted; missing keys: ${missing.map(([name]) => name).join(', ')}`
      : `every encrypted value can be decrypted (${formatCount(vault.keyNames.length, 'key')})`;
  return { name: 'Secrets', isGood: unreadable === 0, finding };
}

async function checkProxies(ctx: Context): Promise<Check> {
  const untrusted = await listUntrustedProxies(ctx);
  if (untrusted.length > 0) return { name: 'Proxy', isGood: false, finding: explainUntrustedProxies(untrusted, ctx.config) };
  const { trustedProxies } = ctx.config;
  const finding = trustedProxies.length > 0 ? `trusted: ${trustedProxies.join(', ')}` : 'none trusted, and none seen in the last day';
  return { name: 'Proxy', isGood: true, finding };
}

async function checkFreeze(ctx: Context): Promise<Check> {
  const freeze = await readFreeze(ctx);
  const finding = freeze ? `payouts, emails and webhooks are frozen since ${formatTime(freeze.frozenAt)}` : 'nothing is frozen';
  return { name: 'Freeze', isGood: freeze === null, finding };
}

async function checkEmails({ db, config }: Context): Promise<Check> {
  const { count } = await db
    .selectFrom('emails')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow();
  const { smtpUrl, mailFrom } = config;
  if (!smtpUrl)
    return { name: 'Email', isGood: count === 0, finding: describeMail('SMTP_URL is not set: emails are stored, not sent', count) };
  const fault = await testMailServer(smtpUrl);
  if (fault !== null)
    return { name: 'Email', isGood: false, finding: describeMail(`the server of SMTP_URL can't be used: ${fault}`, count) };
  if (isLocalSender(mailFrom))
    return { name: 'Email', isGood: false, finding: describeMail(`MAIL_FROM is ${mailFrom}: receivers reject it as a sender`, count) };
  return { name: 'Email', isGood: count === 0, finding: describeMail('the server of SMTP_URL responds', count) };
}

function describeMail(state: string, failedCount: number): string {
  return failedCount > 0 ? `${state}; ${formatCount(failedCount, 'email')} failed` : state;
}

function isLocalSender(mailFrom: string): boolean {
  return /@(localhost|[^@>]*\.(local|localhost|invalid|example))>?\s*$/i.test(mailFrom);
}

/** Links in emails and cookies need the public address, and https where it is not this machine. */
function checkAddress({ config: { publicUrl, host } }: Context): Check {
  const isLocal = (name: string) => ['localhost', '127.0.0.1', '::1', '[::1]'].includes(name);
  const name = 'Address';
  if (publicUrl === undefined)
    return isLocal(host)
      ? { name, isGood: true, finding: 'only this machine' }
      : { name, isGood: false, finding: `PUBLIC_URL is not set, and HOST is ${host}: links in emails don't work elsewhere` };
  const url = new URL(publicUrl);
  const isPlain = url.protocol === 'http:' && !isLocal(url.hostname);
  return { name, isGood: !isPlain, finding: isPlain ? `PUBLIC_URL is ${publicUrl}: sessions and keys are sent unencrypted` : publicUrl };
}
