// Checks every minute what opens and resolves alerts. Invariants take longer, so they are checked at night, and whenever
// `tributary verify` runs.
import type { Context } from '../../context.ts';
import type { AlertKind } from '../../messaging/alerts/alert.ts';
import { type Condition, updateAlerts } from '../../messaging/alerts/update.ts';
import { job } from '../../platform/queue/job.ts';
import {
  findDuplicatePayouts,
  findFailingEmails,
  findFailingProviders,
  findLockedPayouts,
  findUnknownPayouts,
  findUntrustedProxies,
} from './conditions.ts';

const checks: readonly [AlertKind, (ctx: Context) => Promise<Condition[]>][] = [
  ['payouts_locked', findLockedPayouts],
  ['payouts_unknown', findUnknownPayouts],
  ['payouts_duplicate', findDuplicatePayouts],
  ['provider_failing', findFailingProviders],
  ['emails_failing', findFailingEmails],
  ['proxy_untrusted', findUntrustedProxies],
];

export const watchAlerts = job<object>({
  name: 'alerts.watch',
  retries: 0,
  cron: '* * * * *',
  async run(ctx) {
    for (const [kind, find] of checks) {
      try {
        await updateAlerts(ctx, kind, await find(ctx));
      } catch (error) {
        // The next check follows in a minute; the others must not wait for it.
        ctx.log.error({ err: error, kind }, 'failed to check the condition of an alert');
      }
    }
  },
});
