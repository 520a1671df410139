// Attempts to sign in without the emailed proof: their victims, and the check that none of them succeeded.
import assert from 'node:assert/strict';
import { findOrCreateUser } from '../../server/accounts/identity/users/user.ts';
import { transact } from '../../server/platform/db/transact.ts';
import type { TestService } from './harness.ts';
import { openVisitor, readSignInEmail, type Visitor } from './visitor.ts';

export type Attempt = () => Promise<{ status: number; headers: Record<string, unknown> }>;

type Victim = { userId: string; email: string; token: string; path: string; code: string; browser: Visitor };

export type SignInAttempts = {
  visit(options?: { userAgent?: string }): Visitor;
  /** A user with an email on its way, and the browser that requested it. */
  newVictim(): Promise<Victim>;
  requestEmail(browser: Visitor, email: string): Promise<Pick<Victim, 'token' | 'path' | 'code'>>;
  /** Makes the attempts, and checks that none of them signed in. */
  attemptAll(attempts: readonly Attempt[], options?: { parallel?: boolean }): Promise<void>;
  /** Sessions that were ever started. */
  countSessions(userId?: string): Promise<number>;
  /** The same browser in another network, so that the limits per network don't hide the others. */
  elsewhere(browser: Visitor): Visitor;
  /** A browser with a cookie that was not issued to it. */
  forge(name: string, value: string): Visitor;
  /** The number of attempts so far. */
  total(): number;
};

export function prepareAttempts(service: TestService): SignInAttempts {
  let [victims, total] = [0, 0];
  const visit = (options = {}): Visitor => openVisitor(service.app, options);
  const requestEmail: SignInAttempts['requestEmail'] = async (browser, email) => {
    await browser.post('/sign-in', { email });
    await service.drain();
    // Notices about earlier changes may be sent with it.
    const mail = service.mails.findLast(({ text }) => text.includes('/enter/'));
    assert.ok(mail && mail.to.toLowerCase() === email.toLowerCase());
    const { token, path, code } = readSignInEmail(mail);
    assert.ok(code);
    return { token, path, code };
  };
  const countSessions = async (userId?: string): Promise<number> => {
    const sessions = service.ctx.db.selectFrom('sessions').select('id');
    return (await (userId ? sessions.where('userId', '=', userId) : sessions).execute()).length;
  };
  const withCookies = (cookies: Iterable<[string, string]>): Visitor => {
    const visitor = visit();
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    return visitor;
  };
  return {
    visit,
    requestEmail,
    countSessions,
    async newVictim() {
      victims += 1;
      const email = `victim-${victims}@brand.example`;
      const { user } = await transact(service.ctx, (tx) => findOrCreateUser(tx, { email, name: 'Ada' }));
      const browser = visit();
      return { userId: user.id, email, browser, ...(await requestEmail(browser, email)) };
    },
    async attemptAll(attempts, { parallel = false } = {}) {
      const before = await countSessions();
      const results = parallel ? await Promise.all(attempts.map((attempt) => attempt())) : [];
      if (!parallel) for (const attempt of attempts) results.push(await attempt());
      for (const { status, headers } of results) {
        assert.ok(status >= 400 || [200, 202, 204].includes(status), String(status));
        assert.equal(startsSession(headers), false);
      }
      assert.equal(await countSessions(), before);
      total += attempts.length;
    },
    elsewhere: ({ cookies }) => withCookies(cookies),
    forge: (name, value) => withCookies([[name, value]]),
    total: () => total,
  };
}

/** The same attempt several times. */
export function repeat(count: number, attempt: (index: number) => ReturnType<Attempt>): Attempt[] {
  return Array.from({ length: count }, (_, index) => () => attempt(index));
}

/** Another code than this one. */
export function wrongCodeFor(code: string, offset = 1): string {
  return String((Number(code) + offset) % 1_000_000).padStart(6, '0');
}

function startsSession(headers: Record<string, unknown>): boolean {
  return [headers['set-cookie'] ?? []].flat().some((line) => /^(__Host-)?trb=[^;]/.test(String(line)));
}
