// TABLE OF CONTENTS: everything the system does later, and on a schedule.
import { matureCommissions } from './commissions/mature.ts';
import { sendEmail } from './emails/send.ts';
import { forgetIdempotencyKeys } from './http/forget-idempotency-keys.ts';
import type { AnyJob } from './jobs/queue.ts';

export const jobs: readonly AnyJob[] = [sendEmail, forgetIdempotencyKeys, matureCommissions];
