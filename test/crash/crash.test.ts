// What an installation promises when its processes are killed with -9 under load (reliability R1, R3,
// R10). TEST_SEED repeats a run with the same moments, TEST_LENGTH lengthens it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRandom } from '../../server/operations/demo/random.ts';
import { Installation } from '../support/crash/installation.ts';
import { childrenOf, isRunning, killAtOnce, processesOf } from '../support/crash/processes.ts';
import { emptyJournal, type Load, repeatUnanswered, startWriters } from '../support/crash/writers.ts';
import { givenSeed, often } from '../support/time/length.ts';
import { elapse, until } from '../support/time/wait.ts';

const plannedKills = often(6);
const victims = ['server', 'database', 'server and database'] as const;
type Victim = (typeof victims)[number];

const writerCount = 4;
const acknowledgedBeforeKill = 12;
const leastAcknowledged = acknowledgedBeforeKill * plannedKills;
/** A limit for something that hangs; the measured times are printed. */
const longestRecoveryMs = 60_000;
const seed = givenSeed ?? 20_261_121;

const journal = emptyJournal();
const recoveries: { victim: Victim; ms: number }[] = [];
let installation: Installation;
let program: { programId: string; apiKey: string };
let affiliates = '';

const invite = (email: string) =>
  installation.request('POST', affiliates, {
    key: program.apiKey,
    body: { email, firstName: 'Ada', lastName: 'Lovelace', autoApprove: email.length % 2 === 0 },
  });

// Only Linux lists the children of a process.
const onLinux = { skip: process.platform !== 'linux' };

before(async () => {
  installation = await Installation.make();
});
after(() => installation.remove());

test(`kill -9 ${plannedKills} times amid invites: none acknowledged is lost, and the next start needs no help`, onLinux, async (t) => {
  const chance = createRandom(seed);
  await installation.start();
  program = (await installation.command('program', 'create', '--name', 'Crash', '--json')) as typeof program;
  affiliates = `/v1/programs/${program.programId}/affiliates`;

  let kills = 0;
  for (let round = 0; round < plannedKills; round += 1) {
    const victim = victims[round % victims.length] ?? 'server';
    const load = startWriters(invite, journal, { round: `r${round}`, count: writerCount });
    try {
      await until('invites are acknowledged', () => load.acknowledged() >= acknowledgedBeforeKill, longestRecoveryMs);
      await elapse(chance.number(571));
      load.expectTrouble();
      const { isKilled, recoveryMs } = victim === 'database' ? await killDatabase(load) : await killServer(victim, load);
      if (isKilled) kills += 1;
      recoveries.push({ victim, ms: recoveryMs });
    } finally {
      await load.stop();
    }
    await checkNothingLost(`after kill ${round + 1} (${victim}, seed ${seed})`);
  }

  const slowest = recoveries.reduce((longest, one) => (one.ms > longest.ms ? one : longest));
  const medians = victims.map((victim) => `${victim} ${Math.round(medianRecoveryMs(victim))} ms`);
  const { stored, absent } = journal.repeated;
  const acknowledged = journal.acknowledged.size - stored - absent;
  t.diagnostic(`${kills} kills (seed ${seed}); of ${journal.sent.size} invites ${acknowledged} were acknowledged, 0 of them lost`);
  t.diagnostic(`unanswered and then repeated: ${stored} were stored (409), ${absent} were not (201)`);
  t.diagnostic(`longest until it answered again: ${Math.round(slowest.ms)} ms (${slowest.victim}); medians: ${medians.join(', ')}`);
  assert.ok(kills >= plannedKills * 0.9, `only ${kills} of ${plannedKills} kills hit something`);
  assert.ok(acknowledged >= leastAcknowledged, `only ${acknowledged} invites were acknowledged`);
  assert.ok(slowest.ms <= longestRecoveryMs, `it took ${slowest.ms} ms to response again after the ${slowest.victim} was killed`);
});

test('afterwards the data is consistent, and no invite is incomplete or duplicated', onLinux, async () => {
  const { isConsistent, findings } = (await installation.command('verify', '--json')) as { isConsistent: boolean; findings: unknown[] };
  assert.ok(isConsistent, JSON.stringify(findings));
  assert.ok(findings.length > 5);
  for (const [what, table, column] of [
    ['mail', 'emails', 'affiliate_id'],
    ['audit row', 'audit_log', 'subject_id'],
  ]) {
    const odd = await installation.column(
      `select affiliate.email from affiliates as affiliate left join ${table} as follow on follow.${column} = affiliate.id
       group by affiliate.email having count(follow.id) <> 1`,
    );
    assert.deepEqual(odd, [], `these do not have exactly one ${what}`);
  }
  assert.deepEqual(await emailsByApi(), journal.acknowledged);
});

test('SIGTERM stops everything: exit 0, and no process is left', onLinux, async () => {
  assert.equal(await installation.stop(), 0, installation.output);
  assert.deepEqual(processesOf(installation.dataDir), []);
});

/** Kills the server with or without others, and starts again as an operator would. */
async function killServer(victim: Exclude<Victim, 'database'>, load: Load): Promise<{ isKilled: boolean; recoveryMs: number }> {
  const { serverPid, postmasterPid } = installation;
  const pids = {
    server: [serverPid],
    'server and database': [serverPid, postmasterPid, ...childrenOf(postmasterPid)],
  };
  const others = victim === 'server and database' ? pids[victim].slice(2) : [];
  // Backends come and go with the load; only the processes that stay must have been hit.
  const isKilled = killAtOnce(pids[victim].filter((pid) => !others.includes(pid)));
  killAtOnce(others);
  await load.stop();
  await installation.ended();
  await until('the killed server is gone', () => !isRunning(serverPid), 30_000);
  return { isKilled, recoveryMs: await installation.start() };
}

/** Kills only the database: the server must keep running, restart it, and continue writing. */
async function killDatabase(load: Load): Promise<{ isKilled: boolean; recoveryMs: number }> {
  const { serverPid, postmasterPid } = installation;
  const isKilled = killAtOnce([postmasterPid]);
  const killedAt = performance.now();
  const isBack = async () => {
    const alive = await installation.request('GET', '/health/live');
    assert.equal(alive.status, 200, 'the server must response for itself while the database is away');
    return installation.isBackWithout(postmasterPid);
  };
  await until('the server has its database back', isBack, longestRecoveryMs);
  const atReturn = load.acknowledged();
  await until('writers are acknowledged again', () => load.acknowledged() >= atReturn + writerCount, longestRecoveryMs);
  const recoveryMs = performance.now() - killedAt;
  assert.equal(installation.serverPid, serverPid, 'the server was replaced');
  return { isKilled, recoveryMs };
}

/** acknowledged ⊆ stored ⊆ sent, the API and the tables agree, and a repeated invite gets the correct response. */
async function checkNothingLost(when: string): Promise<void> {
  const stored = new Set(await installation.column('select email from affiliates'));
  assert.deepEqual([...journal.acknowledged.difference(stored)], [], `acknowledged but lost ${when}`);
  assert.deepEqual([...stored.difference(journal.sent)], [], `stored but never sent ${when}`);
  assert.equal(await totalByApi(), stored.size, `the exact total ${when}`);
  await repeatUnanswered(invite, journal, stored);
  assert.equal(await totalByApi(), journal.acknowledged.size, `the exact total after repeating ${when}`);
  assert.deepEqual(journal.faults, [], `unexpected responses, ${when}\n${installation.output}`);
}

type List = { total: number; affiliates: { email: string }[] };

async function list(query: string): Promise<List> {
  const { status, text } = await installation.request('GET', `${affiliates}?${query}`, { key: program.apiKey });
  assert.equal(status, 200, text);
  return JSON.parse(text) as List;
}

async function totalByApi(): Promise<number> {
  return (await list('limit=1')).total;
}

async function emailsByApi(): Promise<Set<string>> {
  const found = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 200) {
    const page = await list(`limit=200&offset=${offset}`);
    total = page.total;
    for (const { email } of page.affiliates) found.add(email);
  }
  return found;
}

function medianRecoveryMs(victim: Victim): number {
  const sorted = recoveries.filter((one) => one.victim === victim).map(({ ms }) => ms);
  sorted.sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
