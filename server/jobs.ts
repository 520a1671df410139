// TABLE OF CONTENTS: everything the system does later, and on a schedule.
import { watchShops } from './commerce/quiet.ts';
import { matureCommissions } from './commissions/mature.ts';
import { detectLeaks } from './coupons/detect-leaks.ts';
import { sendEmail } from './emails/send.ts';
import { sendSettingChange } from './emails/setting-change.ts';
import { forgetIdempotencyKeys } from './http/idempotency/forget.ts';
import { processEvents, retryEvents, revisitEvents } from './inbox/process.ts';
import type { AnyJob } from './jobs/queue.ts';
import { reconcileDaily } from './payouts/reconcile/reconcile.ts';
import { followPayouts } from './payouts/send/follow.ts';
import { sendPayouts } from './payouts/send/send.ts';
import { applySettingChanges } from './programs/setting-changes/decide.ts';
import { forgetVisitors } from './tracking/forget.ts';
import { watchInvariants } from './verify/watch.ts';

export const jobs: readonly AnyJob[] = [
  sendSettingChange,
  sendEmail,
  applySettingChanges,
  forgetIdempotencyKeys,
  matureCommissions,
  forgetVisitors,
  watchInvariants,
  detectLeaks,
  sendPayouts,
  followPayouts,
  reconcileDaily,
  processEvents,
  retryEvents,
  revisitEvents,
  watchShops,
];
