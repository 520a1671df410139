// Checks every minute what opens and resolves alerts. Invariants take longer, so they are checked at night, and whenever
// `tributary verify` runs.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AlertKind } from '../../messaging/alerts/alert.ts';
import { type Condition, updateAlerts } from '../../messaging/alerts/update.ts';
import { type Scope, togetherOrEach } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import {
  findDuplicatePayouts,
  findFailingEmails,
  findFailingProviders,
  findLockedPayouts,
  findUnknownPayouts,
  findUntrustedProxies,
} from './conditions.ts';

const checks: readonly [AlertKind, (ctx: Context, scope: Scope) => Promise<Condition[]>][] = [
  ['payouts_locked', findLockedPayouts],
  ['payouts_unknown', findUnknownPayouts],
  ['payouts_duplicate', findDuplicatePayouts],
  ['provider_failing', findFailingProviders],
  ['emails_failing', findFailingEmails],
  ['proxy_untrusted', findUntrustedProxies],
];

/** Checks the conditions of one program at its time. */
export async function watchProgramAlerts(ctx: Context, programId: string): Promise<void> {
  const scope = sql`program_id = ${programId}`;
  for (const [kind, find] of checks) await updateAlerts(ctx, kind, { conditions: await find(ctx, scope), scope });
}

export const watchAlerts = job<object>({
  name: 'alerts.watch',
  retries: 0,
  cron: '* * * * *',
  async run(ctx) {
    const errors: unknown[] = [];
    for (const [kind, find] of checks) {
      const check = async (scope: Scope, _programId: string | null, own: Context) =>
        updateAlerts(own, kind, { conditions: await find(own, scope), scope });
      // The next check follows in a minute; the others must not wait for it.
      await togetherOrEach(ctx, check).catch((error: unknown) => {
        errors.push(error);
        ctx.log.error({ err: error, kind }, 'failed to check the condition of an alert');
      });
    }
    if (errors.length > 0) throw errors[0];
  },
});
