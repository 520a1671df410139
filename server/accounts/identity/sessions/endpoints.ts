// The sessions of the signed-in user: listing and ending them, one by one or all others at once.
import { z } from 'zod';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint, Reply, type Slot } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { clearSessionCookie } from '../../../platform/http/session-cookie.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { describeBrowser } from '../sign-in/describe-browser.ts';
import { endSession, endSessions, idleMs } from './session.ts';

const SessionShape = z
  .object({
    id: uuidOut,
    isCurrent: z.boolean().describe('Whether this request belongs to the session.'),
    method: z.enum(['email', 'link', 'passkey', 'single_sign_on']).describe('How the user signed in.'),
    browser: z.string().nullable().describe('Such as `Firefox`; null if it is not recognized.'),
    system: z.string().nullable().describe('Such as `macOS`; null if it is not recognized.'),
    userAgent: z.string(),
    network: z.string().describe('The network of the sign-in: an IPv4 /24 or IPv6 /48.'),
    createdAt: timestampOut,
    lastSeenAt: timestampOut.describe('Updated at most once a minute.'),
    expiresAt: timestampOut,
  })
  .meta({
    id: 'Session',
    example: {
      id: '01980d10-11aa-7b1c-9d2e-3f4a5b6c7d8e',
      isCurrent: true,
      method: 'passkey',
      browser: 'Firefox',
      system: 'macOS',
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      network: '192.0.2.0/24',
      createdAt: '2026-11-21T08:00:00.000Z',
      lastSeenAt: '2026-11-21T10:00:00.000Z',
      expiresAt: '2026-11-21T20:00:00.000Z',
    },
  });

const sessionSlot: Slot = {
  schema: uuid,
  meaning: 'The session.',
  example: '01980d10-11aa-7b1c-9d2e-3f4a5b6c7d8e',
  async exists(ctx, userId, id) {
    const own = ctx.db.selectFrom('sessions').select('id').where('id', '=', id).where('userId', '=', userId);
    return (await own.executeTakeFirst()) !== undefined;
  },
};

const Method = z.enum(['email', 'link', 'passkey', 'single_sign_on']);

export const listSessions = endpoint({
  id: 'sessions.list',
  route: 'GET /app/sessions',
  scope: 'user',
  tag: 'User',
  summary: "List the user's active sessions",
  statuses: [200],
  result: z.object({ sessions: z.array(SessionShape) }).meta({
    id: 'SessionList',
    example: { sessions: [SessionShape.meta()?.example] },
  }),
  async handle({ db, clock }, { actor }) {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'method', 'userAgent', 'ipPrefix', 'createdAt', 'lastSeenAt', 'expiresAt'])
      .where('userId', '=', actor.id)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', systemTime({ clock }))
      .where('lastSeenAt', '>', new Date(systemTime({ clock }).getTime() - idleMs))
      .orderBy('lastSeenAt', 'desc')
      .orderBy('id', 'desc')
      .limit(100)
      .execute();
    const sessions = rows.map(({ ipPrefix, method, createdAt, lastSeenAt, expiresAt, ...row }) => ({
      ...row,
      ...describeBrowser(row.userAgent),
      isCurrent: row.id === actor.sessionId,
      method: Method.parse(method),
      network: ipPrefix,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }));
    return { sessions };
  },
});

export const endOneSession = endpoint({
  id: 'sessions.end',
  route: 'DELETE /app/sessions/:id',
  scope: 'user',
  tag: 'User',
  summary: 'End a session',
  description: 'Takes effect immediately. Ending a session that has already ended changes nothing.',
  path: { id: sessionSlot },
  statuses: [200],
  result: z.object({ id: uuidOut }).meta({ id: 'EndedSession', example: { id: '01980d10-11aa-7b1c-9d2e-3f4a5b6c7d8e' } }),
  async handle(ctx, { actor, params }) {
    await transact(ctx, (tx) => endSession(tx, { userId: actor.id, sessionId: params.id }));
    return { id: params.id };
  },
});

export const endOtherSessions = endpoint({
  id: 'sessions.endOthers',
  route: 'POST /app/sessions/end-others',
  scope: 'user',
  tag: 'User',
  summary: "End all of the user's other sessions",
  statuses: [200],
  result: z.object({ ended: countOut }).meta({ id: 'EndedSessions', example: { ended: 2 } }),
  async handle(ctx, { actor }) {
    return { ended: await transact(ctx, (tx) => endSessions(tx, actor.id, { except: actor.sessionId })) };
  },
});

export const signOut = endpoint({
  id: 'signOut',
  route: 'POST /app/sign-out',
  scope: 'user',
  onSites: true,
  tag: 'Sign-in',
  summary: 'Sign out',
  description: 'Ends the session of this request and removes its cookie.',
  statuses: [200],
  result: z.object({ isSignedOut: z.literal(true) }).meta({ id: 'SignedOut', example: { isSignedOut: true } }),
  async handle(ctx, { actor }) {
    await transact(ctx, (tx) => endSession(tx, { userId: actor.id, sessionId: actor.sessionId }));
    return new Reply(200, { isSignedOut: true as const }, { 'set-cookie': clearSessionCookie(ctx.config) });
  },
});
