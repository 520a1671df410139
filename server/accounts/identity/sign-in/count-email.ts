// The limit of emails that one browser requests for an address. It is stored, so that all processes share it.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { ApiError } from '../../../platform/lib/errors.ts';
import { readVisitor } from './browser-cookie.ts';
import { toCountedNetwork } from './limits.ts';

const emailsPerHour = 5;
const hourMs = 60 * 60_000;

/** 429. One browser requested so many emails for an address that no further one is sent. */
export class TooManyEmails extends ApiError {
  constructor(retryAfterSeconds: number) {
    const message = 'No email was sent: too many were requested for this address. The links of earlier ones still work until they expire.';
    super(429, 'rate_limited', message, { retryAfterSeconds });
  }
}

type EmailRequester = { ip: string; cookies: string | undefined; email: string };

/**
 * Counts an email that a browser requests for an address. Throws TooManyEmails beyond five an hour. Counted by network and
 * browser, known account or not: requests of others don't use up the user's.
 */
export async function countEmail(ctx: Context, { ip, cookies, email }: EmailRequester): Promise<void> {
  const browser = readVisitor(ctx.config, cookies) ?? '-';
  const requester = ctx.vault.fingerprint(`email-request:${toCountedNetwork(ip)} ${browser} ${emailKey(email) ?? email}`);
  const now = systemTime(ctx);
  // In a separate transaction: what is rejected counts as well.
  const { requests, endsAt } = await transact(ctx, (tx) => addRequest(tx, { requester, now }));
  if (requests > emailsPerHour) throw new TooManyEmails(Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)));
}

type Count = { requests: number; endsAt: Date };

/** The hour starts with its first request. Requests at the same time wait for the row. */
async function addRequest({ db }: Pick<Context, 'db'>, { requester, now }: { requester: string; now: Date }): Promise<Count> {
  const endsAt = new Date(now.getTime() + hourMs);
  return db
    .insertInto('emailRequestCounts')
    .values({ requester, requests: 1, endsAt })
    .onConflict((conflict) =>
      conflict.column('requester').doUpdateSet({
        requests: sql`case when email_request_counts.ends_at <= ${now} then 1 else email_request_counts.requests + 1 end`,
        endsAt: sql`case when email_request_counts.ends_at <= ${now} then excluded.ends_at else email_request_counts.ends_at end`,
      }),
    )
    .returning(['requests', 'endsAt'])
    .executeTakeFirstOrThrow();
}
