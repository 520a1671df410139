// Sessions of signed-in users. A session ends after 30 minutes without a request and 12 hours after the sign-in. Signing
// in and proving an identity again always create a new session with a new token, so that a token which was known before
// is never worth more afterwards.
import { type Selectable, sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { recordInPrograms } from '../../../platform/audit/record.ts';
import type { Sessions } from '../../../platform/db/schema.gen.ts';
import type { UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { writeSessionCookie } from '../../../platform/http/session-cookie.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { toNetwork } from '../../../platform/lib/network/ip-address.ts';
import { generateToken, hashToken } from './token.ts';

const minuteMs = 60_000;
export const idleMs = 30 * minuteMs;
export const maxAgeMs = 12 * 60 * minuteMs;

type Device = { ip: string; userAgent: string | undefined };
/** What a user can prove in addition to control of the mailbox. */
export type UsedFactor = 'passkey' | 'authenticator' | 'recovery_code';

type NewSession = {
  userId: string;
  method: 'email' | 'link' | 'passkey' | 'single_sign_on';
  /** The second factor that was used at the sign-in. */
  secondFactor: UsedFactor | null;
  /** With a link of the command line. */
  isFromCommand?: boolean;
  /** The program on whose custom domain the user signs in. */
  siteProgramId?: string | null;
  device: Device;
};

/** A session that was created, and the header that gives it to the browser. */
export type StartedSession = { sessionId: string; token: string; setCookie: string };

/** Signs a user in. Call it only after the user has proved their identity; it does not check whether they are disabled. */
export async function startSession(
  tx: Tx,
  { userId, method, secondFactor, isFromCommand = false, siteProgramId = null, device }: NewSession,
): Promise<StartedSession> {
  const now = systemTime(tx);
  await tx.db.updateTable('users').set({ lastSignInAt: now }).where('id', '=', userId).execute();
  await recordSignIn(tx, { userId, method, device });
  return insertSession(tx, {
    userId,
    method,
    userAgent: (device.userAgent ?? '').toWellFormed().replaceAll('\0', '').slice(0, 300),
    ipPrefix: toNetwork(device.ip),
    secondFactor,
    secondFactorAt: secondFactor === null ? null : now,
    isFromCommand,
    siteProgramId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + maxAgeMs),
  });
}

/** Records the sign-in in the audit log of every program in which the user has a role. */
async function recordSignIn(tx: Tx, { userId, method, device }: Pick<NewSession, 'userId' | 'method' | 'device'>): Promise<void> {
  const { rows } = await sql<{ programId: string }>`
    select program_id from person_programs where kind = 'member' and person = ${userId}
    union
    select program.id from organization_members as member
    join programs as program on program.organization_id = member.organization_id
    where member.user_id = ${userId}`.execute(tx.db);
  await recordInPrograms(
    tx,
    rows.map(({ programId }) => programId),
    {
      actor: { kind: 'user', id: userId },
      action: 'user.signed_in',
      subjectId: userId,
      after: { method },
      origin: { network: toNetwork(device.ip), requestId: null },
    },
  );
}

/**
 * Replaces the session of a user who has proved their identity again. The new one has a new token, counts as freshly
 * signed in, and ends no later than the sign-in allowed. It keeps the second factor that was used, unless another one was.
 */
export async function renewSession(
  tx: Tx,
  { sessionId }: Pick<UserPrincipal, 'sessionId'>,
  usedFactor: UsedFactor | null,
): Promise<StartedSession> {
  const now = systemTime(tx);
  const { secondFactor, secondFactorAt, ...row } = await tx.db
    .updateTable('sessions')
    .set({ endedAt: now })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .returning([
      'userId',
      'method',
      'userAgent',
      'ipPrefix',
      'secondFactor',
      'secondFactorAt',
      'isFromCommand',
      'siteProgramId',
      'createdAt',
      'expiresAt',
    ])
    .executeTakeFirstOrThrow();
  if (usedFactor === null) return insertSession(tx, { ...row, secondFactor, secondFactorAt });
  return insertSession(tx, { ...row, secondFactor: usedFactor, secondFactorAt: now });
}

type SessionRow = Pick<
  Selectable<Sessions>,
  | 'userId'
  | 'method'
  | 'userAgent'
  | 'ipPrefix'
  | 'secondFactor'
  | 'secondFactorAt'
  | 'isFromCommand'
  | 'siteProgramId'
  | 'createdAt'
  | 'expiresAt'
>;

async function insertSession(tx: Tx, row: SessionRow): Promise<StartedSession> {
  const now = systemTime(tx);
  const sessionId = tx.ids.uuid();
  const { token, tokenHash } = generateToken();
  await tx.db
    .insertInto('sessions')
    .values({ ...row, id: sessionId, tokenHash, freshAt: now, lastSeenAt: now })
    .execute();
  const maxAgeSeconds = Math.floor((row.expiresAt.getTime() - now.getTime()) / 1000);
  return { sessionId, token, setCookie: writeSessionCookie(tx.config, token, maxAgeSeconds) };
}

/** Ends one session of a user, unless it has ended. */
export async function endSession(tx: Tx, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ endedAt: systemTime(tx) })
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .execute();
}

/** Ends all sessions of a user, except one, and returns how many. */
export async function endSessions(tx: Tx, userId: string, { except }: { except?: string } = {}): Promise<number> {
  const sessions = tx.db
    .updateTable('sessions')
    .set({ endedAt: systemTime(tx) })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null);
  const { numUpdatedRows } = await (except === undefined ? sessions : sessions.where('id', '<>', except)).executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * The user of a session token; null unless the session is active. Records the time of use once a minute, and the visitor that
 * the browser is known as, if it can.
 */
export async function findUser(ctx: Context, token: string, visitorId: string | null = null): Promise<UserPrincipal | null> {
  const row = await ctx.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select([
      'sessions.id',
      'userId',
      'isFromCommand',
      'siteProgramId',
      'freshAt',
      'secondFactorAt',
      'lastSeenAt',
      'expiresAt',
      'endedAt',
      'visitorId',
      'users.status',
    ])
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst();
  const now = systemTime(ctx);
  if (row?.status !== 'active' || !isActive(row, now)) return null;
  const isOtherVisitor = visitorId !== null && visitorId !== row.visitorId;
  if (isOtherVisitor || now.getTime() - row.lastSeenAt.getTime() >= minuteMs)
    await recordUse(ctx, row.id, { lastSeenAt: now, visitorId: visitorId ?? row.visitorId }).catch((error) =>
      ctx.log.warn({ err: error }, 'the use of a session was not recorded'),
    );
  const { userId: id, id: sessionId, freshAt, secondFactorAt, isFromCommand, siteProgramId } = row;
  return { kind: 'user', id, sessionId, freshAt, secondFactorAt, isFromCommand, siteProgramId };
}

/** Whether a session is neither ended, nor too old, nor unused for too long. */
export function isActive(
  { lastSeenAt, expiresAt, endedAt }: { lastSeenAt: Date; expiresAt: Date; endedAt: Date | null },
  now: Date,
): boolean {
  return endedAt === null && now < expiresAt && now.getTime() - lastSeenAt.getTime() < idleMs;
}

type Use = { lastSeenAt: Date; visitorId: string | null };

/** Skipped while a write with this session locks its row, rather than waiting for it. */
async function recordUse({ db }: Context, id: string, use: Use): Promise<void> {
  const free = db.selectFrom('sessions').select('id').where('id', '=', id).where('endedAt', 'is', null).forNoKeyUpdate().skipLocked();
  await db.updateTable('sessions').set(use).where('id', 'in', free).execute();
}
