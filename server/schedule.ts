// TABLE OF CONTENTS: every background job, including scheduled ones.

import { deleteOldEmbeds } from './accounts/identity/embeds/delete-old.ts';
import { deleteOldSessions } from './accounts/identity/sessions/delete-old.ts';
import { deleteExpiredVerifications } from './accounts/identity/sign-in/delete-expired.ts';
import { deleteProgramsDue } from './accounts/programs/deletion/delete-due.ts';
import { registerPersonsLater } from './accounts/programs/person-programs.ts';
import { applySettingChanges } from './accounts/programs/setting-changes/decide.ts';
import { checkBounties } from './earning/bounties/awarding/run.ts';
import { runSimulation } from './earning/commission-rules/changes/run-simulation.ts';
import { emailGroupMoves } from './earning/commission-rules/rates/email-group-moves.ts';
import { emailRateChanges } from './earning/commission-rules/rates/email-rate-changes.ts';
import { matureCommissions } from './earning/commissions/mature.ts';
import { fetchEcbRates } from './earning/exchange-rates/ecb/fetch.ts';
import { emailFirstSales } from './earning/orders/email-first-sale.ts';
import { applyDecision } from './earning/pending-decisions/apply.ts';
import { emailStatements, startStatements } from './earning/statements/email-statements.ts';
import { eraseEmailBodies } from './messaging/emails/erase-bodies.ts';
import { queueKeyNotices, sendKeyNotice } from './messaging/emails/kinds/key-notice.ts';
import { sendAccessRequest } from './messaging/emails/kinds/members/access-request.ts';
import { sendMemberInvitation } from './messaging/emails/kinds/members/member-invitation.ts';
import { sendProgramDeletion } from './messaging/emails/kinds/program-deletion.ts';
import { sendFactorChange } from './messaging/emails/kinds/second-factor-changed.ts';
import { sendSecurityNotice } from './messaging/emails/kinds/security-notice.ts';
import { sendSettingChange } from './messaging/emails/kinds/setting-change.ts';
import { sendSignInEmail } from './messaging/emails/kinds/sign-in/send.ts';
import { sendEmail } from './messaging/emails/send.ts';
import { checkDueSenders } from './messaging/emails/senders/check.ts';
import { deleteOldEvents } from './messaging/events/delete-old.ts';
import { sendDailyNotifications, sendNotifications } from './messaging/notifications/send.ts';
import { deleteOldDeliveries } from './messaging/webhooks/deliveries/delete-old.ts';
import { watchAlerts } from './operations/alerts/watch.ts';
import { addLiveActivity } from './operations/demo/live-activity.ts';
import { createAdvanceJob } from './operations/test-clock/run-advance.ts';
import { watchInvariants } from './operations/verify/watch.ts';
import { runBulkChange } from './partners/affiliates/changes/run-bulk-change.ts';
import { runImport } from './partners/affiliates/import/import.ts';
import { registerCodesLater } from './partners/affiliates/links/short-link.ts';
import { copyClickFigures } from './partners/affiliates/totals/figures.ts';
import { startDueAnnouncements } from './partners/announcements/start-due.ts';
import { writeAnnouncementEmails } from './partners/announcements/write-emails.ts';
import { deleteUnconfirmedApplications } from './partners/applications/delete-unconfirmed.ts';
import { sendApplicationConfirmation } from './partners/applications/submit.ts';
import { moveGroupsByVolume } from './partners/groups/moves/move-by-volume.ts';
import { emailPayoutOutcomes } from './paying/payouts/email-outcome.ts';
import { reconcileDaily } from './paying/payouts/reconcile/reconcile.ts';
import { runPayoutSchedules } from './paying/payouts/schedule/run.ts';
import { followPayouts } from './paying/payouts/send/follow-up.ts';
import { sendPayouts } from './paying/payouts/send/send.ts';
import { sealAuditLogs } from './platform/audit/seal.ts';
import { deleteOldTasks } from './platform/background-tasks/delete-old.ts';
import { deleteOldOutputs } from './platform/background-tasks/output.ts';
import { deleteExpiredIdempotencyKeys } from './platform/http/idempotency/delete-expired.ts';
import type { AnyJob } from './platform/queue/queue.ts';
import { deleteOldRequests } from './platform/request-log/delete-old.ts';
import { detectLeaks } from './promotion/coupons/detect-leaks.ts';
import { checkDueDomains, checkNewDomain } from './promotion/domains/check.ts';
import { deleteUnusedMedia } from './promotion/media/delete-unused.ts';
import { deleteVisitorKeys } from './promotion/tracking/delete-visitor-keys.ts';
import { eraseVisitors } from './promotion/tracking/erase-visitors.ts';
import { watchStores } from './stores/commerce/watch-stores.ts';
import { eraseEventPayloads } from './stores/inbox/erase-payloads.ts';
import { processEvents, processUnconvertedEvents, reprocessUnattributedEvents, retryEvents } from './stores/inbox/process-events.ts';
import { resumeExports, runExport } from './views/exports/run-export.ts';
import { buildBreakdownTotals } from './views/insights/build-totals.ts';
import { rebuildDailyTotalsJob } from './views/overview/rebuild-daily-totals.ts';

export const jobs: readonly AnyJob[] = [
  registerPersonsLater,
  registerCodesLater,
  sendSettingChange,
  sendMemberInvitation,
  sendAccessRequest,
  sendProgramDeletion,
  sendFactorChange,
  startDueAnnouncements,
  writeAnnouncementEmails,
  sendEmail,
  sendSignInEmail,
  sendSecurityNotice,
  queueKeyNotices,
  sendKeyNotice,
  deleteExpiredVerifications,
  applySettingChanges,
  deleteProgramsDue,
  deleteExpiredIdempotencyKeys,
  deleteOldRequests,
  deleteOldEvents,
  deleteOldEmbeds,
  deleteOldSessions,
  eraseEmailBodies,
  eraseEventPayloads,
  eraseVisitors,
  sealAuditLogs,
  copyClickFigures,
  runBulkChange,
  runImport,
  moveGroupsByVolume,
  runExport,
  runSimulation,
  resumeExports,
  deleteOldOutputs,
  deleteOldTasks,
  sendApplicationConfirmation,
  deleteUnconfirmedApplications,
  matureCommissions,
  checkBounties,
  fetchEcbRates,
  applyDecision,
  emailFirstSales,
  startStatements,
  emailStatements,
  deleteVisitorKeys,
  checkDueSenders,
  checkNewDomain,
  checkDueDomains,
  deleteUnusedMedia,
  watchInvariants,
  watchAlerts,
  sendNotifications,
  sendDailyNotifications,
  detectLeaks,
  runPayoutSchedules,
  sendPayouts,
  emailPayoutOutcomes,
  emailGroupMoves,
  emailRateChanges,
  followPayouts,
  reconcileDaily,
  processEvents,
  processUnconvertedEvents,
  retryEvents,
  reprocessUnattributedEvents,
  watchStores,
  rebuildDailyTotalsJob,
  buildBreakdownTotals,
  deleteOldDeliveries,
  addLiveActivity,
  // Last, so that tests run the other jobs first.
  createAdvanceJob(() => jobs),
];
