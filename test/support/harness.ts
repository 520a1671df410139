// The service for tests: a separate database, cloned from a migrated template, a controllable clock, a mailer that
// records messages, and the real HTTP server. `npm test -- FILE` prepares the template.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { claimAffiliates } from '../../server/accounts/identity/affiliate-accounts/claim.ts';
import { addMember } from '../../server/accounts/identity/members/add-member.ts';
import { startSession } from '../../server/accounts/identity/sessions/session.ts';
import { findOrCreateUser } from '../../server/accounts/identity/users/user.ts';
import { issueKey } from '../../server/accounts/programs/api-keys/issue-key.ts';
import { createProgram } from '../../server/accounts/programs/create.ts';
import { readConfig } from '../../server/config.ts';
import type { Context, Tx } from '../../server/context.ts';
import { buildApp } from '../../server/main.ts';
import type { Mailer, Message } from '../../server/messaging/emails/mailer.ts';
import { connect, typedQueries } from '../../server/platform/db/connect.ts';
import { limitConnectionsPerProgram } from '../../server/platform/db/program-connections.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { Role } from '../../server/platform/http/declaration/principal.ts';
import { createOutgoingHttp } from '../../server/platform/http/outgoing/outgoing.ts';
import type { Web } from '../../server/platform/http/web/prepare.ts';
import { fixedClock } from '../../server/platform/lib/clock.ts';
import { openWorkers } from '../../server/platform/lib/concurrency/workers.ts';
import { randomIds } from '../../server/platform/lib/ids.ts';
import { createJobs, relayJobs } from '../../server/platform/queue/outbox.ts';
import { drain, openQueue } from '../../server/platform/queue/queue.ts';
import { createVault } from '../../server/platform/secrets/vault.ts';
import { jobs } from '../../server/schedule.ts';
import { type Database, openTestPools } from './hosts/cluster.ts';

type Template = Database;

export type Answer = {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  body: any;
  text: string;
};

type Options = { body?: unknown; key?: string | null; headers?: Record<string, string> };

export type TestProgram = { programId: string; key: string; readKey: string; path: string };

export type TestMember = {
  userId: string;
  email: string;
  sessionId: string;
  /** `name=value`, for the Cookie header; browser tests add it to their context. */
  cookie: string;
  /** A request as the console sends it. */
  request(method: string, path: string, options?: Options): Promise<Answer>;
};

export type TestService = {
  ctx: Context;
  app: FastifyInstance;
  pool: pg.Pool;
  boss: PgBoss;
  clock: ReturnType<typeof fixedClock>;
  /** Sent emails, in order. */
  mails: Message[];
  /** Lines of the log. */
  log: string[];
  /** A program with a key of both scopes and one that may only read. */
  program: TestProgram;
  /** Another program of the same installation. */
  foreign: TestProgram;
  /** A request as a client sends it; with the program's full key unless `key` is given. */
  request(method: string, path: string, options?: Options): Promise<Answer>;
  /** Hands jobs to the queue, as a process that runs jobs does each second. */
  relay(): Promise<void>;
  /** Runs the jobs that are due. */
  drain(): Promise<number>;
  newProgram(name: string): Promise<TestProgram>;
  /**
   * A user with this role in the program (or another one) for a month, unless `isNew`; signed in, with a passkey unless
   * `hasPasskey` is false.
   */
  asMember(role: Role, options?: { program?: TestProgram; name?: string; hasPasskey?: boolean; isNew?: boolean }): Promise<TestMember>;
  /** The user of an affiliate, who has claimed it, with a session. */
  asAffiliate(affiliate: { id: string; email: string }, program?: TestProgram): Promise<TestMember>;
  /** A new session of a user. */
  signIn(userId: string): Promise<{ sessionId: string; cookie: string }>;
  close(): Promise<void>;
};

/** The template that `scripts/test.ts` made ready. */
export function template(): Template {
  const given = process.env.TRIBUTARY_TEST_TEMPLATE;
  if (!given) throw new Error('Run tests with `npm test -- FILE`: it prepares their database.');
  return JSON.parse(given) as Template;
}

type TestDatabase = { connection: Template; drop(): Promise<void> };

/** A fresh database with the schema, or a copy of another to which no connection is open, and a way to drop it. */
export function cloneDatabase(source = template().database): Promise<TestDatabase> {
  return createDatabase(source);
}

/** A fresh database without tables, and a way to drop it. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template1');
}

async function createDatabase(source: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying the files takes half of the processor time of writing their pages through the log.
  await asAdministrator(`create database ${name} template ${source} strategy file_copy`);
  return { connection: { ...template(), database: name }, drop: () => asAdministrator(`drop database if exists ${name} with (force)`) };
}

/** Runs a statement outside of the test's database, on every server of a cluster. */
async function asAdministrator(statement: string): Promise<void> {
  const { workers = [], ...first } = template();
  for (const server of [...workers, {}]) await runOn({ ...first, ...server, database: 'postgres' }, statement);
}

async function runOn(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    // Clones of one template take turns: two at the same time would fail with "being accessed by other users".
    await client.query('select pg_advisory_lock(42)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

type Setup = {
  withMail?: boolean;
  environment?: Record<string, string>;
  /** A database that outlives the service; without one it gets its own clone. */
  database?: Template;
  vaultKey?: Buffer;
  /** The web apps, for tests in a browser. */
  web?: Web;
};

/** Everything a test needs. Call `close` after it. */
export async function openTestService(setup: Setup = {}): Promise<TestService> {
  const { withMail = true, environment = {}, database, vaultKey = randomBytes(32), web } = setup;
  const { connection, drop } = database ? { connection: database, drop: async () => {} } : await cloneDatabase();
  // Tests read and change data as the owner; the service has the same rights as in production.
  const pool = connect({ ...connection, max: 4 });
  const pools = await openTestPools(connection);
  const clock = fixedClock('2026-03-01T12:00:00Z');
  const [mails, log]: [Message[], string[]] = [[], []];
  const mailer: Mailer = { send: async (message) => void mails.push(message), close: () => {} };
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
  const boss: PgBoss = await openQueue(pool, logger, { supervise: false });
  const http = createOutgoingHttp({ allowPrivate: true });
  const workers = openWorkers();
  const config = readConfig({ API_RATE_LIMIT: '0', REQUEST_LOG_DAYS: '0', ...environment });
  const ctx: Context = {
    db: typedQueries(pools.pool),
    programDb: limitConnectionsPerProgram(pools.poolOf, config.databasePoolMax),
    clock,
    ids: randomIds,
    log: logger,
    config,
    mailer: withMail ? mailer : null,
    jobs: createJobs(boss),
    http,
    checkUrl: http.checkUrl,
    findDnsRecords: async () => [],
    vault: createVault([vaultKey]),
    workers,
  };
  if (pools.allProgramsPool) ctx.allProgramsDb = typedQueries(pools.allProgramsPool);
  const app = await buildApp(ctx, undefined, { web });
  const program = await makeProgram(ctx, 'Fern & Field');
  const foreign = await makeProgram(ctx, 'Other Brand');
  return {
    ctx,
    app,
    pool,
    boss,
    clock,
    mails,
    log,
    program,
    foreign,
    newProgram: (name) => makeProgram(ctx, name),
    request: (method, path, options = {}) => send(app, method, path, { key: program.key, ...options }),
    ...memberFunctions(ctx, app, program),
    relay: () => relayJobs(ctx, boss),
    drain: () => drain(boss, jobs, ctx),
    async close() {
      await app.close();
      await boss.stop({ graceful: false });
      await http.close();
      await workers.close();
      await pools.close();
      await pool.end();
      await drop();
      requireDeclaredErrors(log);
    },
  };
}

const origin = 'http://api.test';

type SignedInFunctions = Pick<TestService, 'asMember' | 'asAffiliate' | 'signIn'>;

function memberFunctions(ctx: Context, app: FastifyInstance, ownProgram: TestProgram): SignedInFunctions {
  const device = { ip: '192.0.2.7', userAgent: 'Test' };
  const signIn = (userId: string) =>
    transact(ctx, async (tx) => {
      const passkey = tx.db.selectFrom('passkeys').select('id').where('userId', '=', userId).limit(1);
      const secondFactor = (await passkey.executeTakeFirst()) ? 'passkey' : null;
      const { sessionId, setCookie } = await startSession(tx, { userId, method: 'link', secondFactor, isFromCommand: true, device });
      return { sessionId, cookie: setCookie.split(';')[0] ?? '' };
    });
  const requestAs = (cookie: string, { programId }: TestProgram): TestMember['request'] => {
    const headers = { cookie, origin, 'tributary-program': programId };
    return (method, path, options = {}) => send(app, method, path, { ...options, headers: { ...headers, ...options.headers } });
  };
  return {
    signIn,
    async asAffiliate({ email }, program = ownProgram) {
      const user = await transact(ctx, async (tx) => {
        const found = await findOrCreateUser(tx, { email, name: '' });
        await claimAffiliates(tx, found.user);
        return found.user;
      });
      const session = await signIn(user.id);
      return { ...session, userId: user.id, email, request: requestAs(session.cookie, program) };
    },
    async asMember(role, { program = ownProgram, name = `The ${role}`, hasPasskey = true, isNew = false } = {}) {
      const email = `${role}-${randomBytes(4).toString('hex')}@example.com`;
      const userId = await transact(ctx, async (tx) => {
        const { user } = await findOrCreateUser(tx, { email, name });
        const then = isNew ? tx : lastMonth(tx);
        await addMember(then, { programId: program.programId, userId: user.id, role, actor: { kind: 'command', id: 'test' } });
        if (hasPasskey) await insertPasskey(tx, user.id);
        return user.id;
      });
      const session = await signIn(userId);
      return { ...session, userId, email, request: requestAs(session.cookie, program) };
    },
  };
}

function lastMonth(tx: Tx): Tx {
  const then = new Date(tx.clock.now().getTime() - 30 * 86_400_000);
  return { ...tx, clock: { now: () => then } };
}

/** Sensitive operations require a second factor of members who handle money. */
async function insertPasskey({ db, ids, clock }: Tx, userId: string): Promise<void> {
  const credential = { credentialId: randomBytes(16), publicKey: randomBytes(32), counter: 0, transports: [] };
  await db
    .insertInto('passkeys')
    .values({ ...credential, id: ids.uuid(), userId, name: 'Test', createdAt: clock.now() })
    .execute();
}

/** Every error that an endpoint returned must be among those that it declares. */
function requireDeclaredErrors(log: readonly string[]): void {
  const undeclared = log.filter((line) => line.includes('returned an error that is not declared'));
  assert.deepEqual(undeclared, []);
}

async function makeProgram(ctx: Context, name: string): Promise<TestProgram> {
  return transact(ctx, async (tx) => {
    const actor = { kind: 'command' as const, id: 'test' };
    const fresh = { name, mode: 'live' as const, currency: 'USD', timezone: 'UTC', websiteUrl: 'https://brand.example' };
    const { programId, apiKey } = await createProgram(tx, fresh, actor);
    const read = await issueKey(tx, { programId, name: 'Reader', scopes: ['read'], expiresAt: null, actor });
    return { programId, key: apiKey, readKey: read.apiKey, path: `/v1/programs/${programId}` };
  });
}

async function send(app: FastifyInstance, method: string, path: string, { body, key, headers = {} }: Options): Promise<Answer> {
  const sent: Record<string, string> = { host: 'api.test' };
  if (key) sent.authorization = `Bearer ${key}`;
  if (body !== undefined) sent['content-type'] = 'application/json';
  const options = { method: method as 'GET', url: path, headers: { ...sent, ...headers } };
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const response = await app.inject(body === undefined ? options : { ...options, payload });
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: isJson && response.body ? JSON.parse(response.body) : null,
  };
}
