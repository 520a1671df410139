// TABLE OF CONTENTS: every endpoint of the API.

import { decideAccessRequest, listAccessRequests, requestAccess } from './accounts/identity/access-requests/endpoints.ts';
import { endAffiliateView, startAffiliateView } from './accounts/identity/affiliate-views/endpoints.ts';
import { confirmIdentity, createConfirmOptions, getConfirmMethods, sendConfirmCode } from './accounts/identity/confirm/confirm.ts';
import { createEmbedToken } from './accounts/identity/embeds/create.ts';
import { openEmbeddedPortal } from './accounts/identity/embeds/open.ts';
import { inviteMember, listInvitations, resendInvitation, revokeInvitation } from './accounts/identity/invitations/endpoints.ts';
import { confirmMember } from './accounts/identity/members/confirm.ts';
import { listMembers, removeMember, updateMember } from './accounts/identity/members/endpoints.ts';
import { listPasskeys, removePasskey, renamePasskey } from './accounts/identity/passkeys/manage.ts';
import { addPasskey, createPasskeyOptions } from './accounts/identity/passkeys/register.ts';
import { createSignInOptions, signInWithPasskey } from './accounts/identity/passkeys/sign-in.ts';
import { createUserProgram } from './accounts/identity/program-creation/create.ts';
import { cancelProgramDeletion } from './accounts/identity/program-deletions/cancel.ts';
import {
  confirmAuthenticator,
  createRecoveryCodes,
  removeAuthenticator,
  startAuthenticator,
} from './accounts/identity/second-factor/enrol.ts';
import { getSecondFactor } from './accounts/identity/second-factor/get.ts';
import { endOneSession, endOtherSessions, listSessions, signOut } from './accounts/identity/sessions/endpoints.ts';
import { enterWithCode, enterWithLink, signIn } from './accounts/identity/sign-in/endpoints.ts';
import {
  addSingleSignOnDomain,
  removeSingleSignOnDomain,
  updateSingleSignOnDomain,
} from './accounts/identity/single-sign-on/domains/endpoints.ts';
import { verifySingleSignOnDomain } from './accounts/identity/single-sign-on/domains/verify.ts';
import { getSingleSignOn } from './accounts/identity/single-sign-on/get.ts';
import { removeSingleSignOn } from './accounts/identity/single-sign-on/remove.ts';
import { updateSingleSignOn } from './accounts/identity/single-sign-on/update.ts';
import { getAppMe, updateAppMe } from './accounts/identity/users/me.ts';
import { getPreferences, updatePreferences } from './accounts/preferences/preferences.ts';
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from './accounts/preferences/saved-views.ts';
import { createApiKey } from './accounts/programs/api-keys/create.ts';
import { getApiKey, listApiKeys } from './accounts/programs/api-keys/list.ts';
import { revokeApiKey } from './accounts/programs/api-keys/revoke.ts';
import { rotateApiKey } from './accounts/programs/api-keys/rotate.ts';
import { updateApiKey } from './accounts/programs/api-keys/update.ts';
import { getBrand, updateBrand } from './accounts/programs/brand/endpoints.ts';
import { deleteProgram, previewDeletion } from './accounts/programs/deletion/endpoints.ts';
import { readProgram } from './accounts/programs/get.ts';
import { goLive } from './accounts/programs/go-live.ts';
import { getMe } from './accounts/programs/me.ts';
import { approveSettingChange, cancelSettingChange } from './accounts/programs/setting-changes/decide.ts';
import { updateProgram } from './accounts/programs/update.ts';
import { createProvider } from './connections/providers/create.ts';
import { readProvider } from './connections/providers/get.ts';
import { listProviders } from './connections/providers/list.ts';
import { testProvider } from './connections/providers/test-connection.ts';
import { updateProvider } from './connections/providers/update.ts';
import { createBounty } from './earning/bounties/create.ts';
import { getBounty, listBounties } from './earning/bounties/list.ts';
import { createSubmission } from './earning/bounties/submissions/create.ts';
import { decideSubmission } from './earning/bounties/submissions/decide.ts';
import { getSubmission, listSubmissions } from './earning/bounties/submissions/list.ts';
import { updateBounty } from './earning/bounties/update.ts';
import { createClaim } from './earning/claims/create.ts';
import { creditUnattributedOrder } from './earning/claims/credit.ts';
import { decideClaim } from './earning/claims/decide.ts';
import { getClaim, listClaims } from './earning/claims/list.ts';
import { simulateRules } from './earning/commission-rules/changes/simulate.ts';
import { cancelSimulation, createSimulation, readSimulation } from './earning/commission-rules/changes/simulation-endpoints.ts';
import { createRule } from './earning/commission-rules/create.ts';
import { getRule } from './earning/commission-rules/get.ts';
import { listRules } from './earning/commission-rules/list.ts';
import { previewRateEmails } from './earning/commission-rules/rates/preview-emails.ts';
import { listRates } from './earning/commission-rules/rates/rates.ts';
import { resolveRule } from './earning/commission-rules/resolve.ts';
import { updateRule } from './earning/commission-rules/update.ts';
import { adjustCommission, grantBonus } from './earning/commissions/adjust.ts';
import { grantBonuses } from './earning/commissions/bulk/grant-many.ts';
import { changeCommissions } from './earning/commissions/bulk/hold-many.ts';
import { getCommission } from './earning/commissions/get.ts';
import { holdCommission, releaseCommission } from './earning/commissions/hold.ts';
import { listCommissions } from './earning/commissions/list.ts';
import { enterConversion } from './earning/conversions/enter.ts';
import { explainConversion } from './earning/conversions/explanation.ts';
import { getFraudEffect } from './earning/conversions/fraud-effect/effect.ts';
import { getConversion, listConversions, sumConversions } from './earning/conversions/list.ts';
import { listOrderTable } from './earning/conversions/listing/order-table.ts';
import { getOrderMismatch, listOrderMismatches } from './earning/conversions/mismatches.ts';
import { previewOrder } from './earning/conversions/preview.ts';
import { reportConversion } from './earning/conversions/report.ts';
import { reportConversions } from './earning/conversions/report-batch.ts';
import { testConversion } from './earning/conversions/test-order.ts';
import { getUnattributedOrder, listUnattributedOrders } from './earning/conversions/unattributed.ts';
import { getCustomer } from './earning/customers/get.ts';
import { listCustomers } from './earning/customers/list.ts';
import { listCustomerTable } from './earning/customers/table.ts';
import { updateCustomer } from './earning/customers/update.ts';
import { listExchangeRates } from './earning/exchange-rates/list.ts';
import { getExchangeRateStatus } from './earning/exchange-rates/status.ts';
import { uploadExchangeRates } from './earning/exchange-rates/upload.ts';
import { getFraudEvent, listFraudEvents } from './earning/fraud/list.ts';
import { resolveFraudEvent } from './earning/fraud/resolve.ts';
import { getFraudSettings, updateFraudSettings } from './earning/fraud/settings.ts';
import { getLead, listLeads } from './earning/leads/list.ts';
import { rejectReportedLead } from './earning/leads/reject.ts';
import { reportLead } from './earning/leads/report.ts';
import { getIntegrity } from './earning/ledger/get-integrity.ts';
import { getJournal } from './earning/ledger/journal.ts';
import { getEntry, listEntries } from './earning/ledger/list-entries.ts';
import { cancelOrder } from './earning/order-changes/cancel.ts';
import { increaseOrder } from './earning/order-changes/increase.ts';
import { moveOrder } from './earning/order-changes/move.ts';
import { decideClaimLater, decideSubmissionLater, resolveFraudEventLater, undoDecision } from './earning/pending-decisions/endpoints.ts';
import { reportDispute } from './earning/refunds/dispute.ts';
import { getRefund, listRefunds } from './earning/refunds/list.ts';
import { getDispute, listDisputes } from './earning/refunds/list-disputes.ts';
import { refundOrder } from './earning/refunds/refund-order.ts';
import { reportRefund } from './earning/refunds/report.ts';
import { getBalance } from './earning/statements/balance.ts';
import { getPortalStatement, getStatement } from './earning/statements/get-statement.ts';
import { getAlert, listAlerts } from './messaging/alerts/list.ts';
import { getEmailSettings, restoreEmailText, switchEmail, updateEmailText } from './messaging/emails/editing/endpoints.ts';
import { sendTestEmail } from './messaging/emails/editing/send-test.ts';
import { getEmail, listEmails, previewEmail } from './messaging/emails/mailbox.ts';
import { getEmailPreview, showEmailPreview } from './messaging/emails/previews/endpoints.ts';
import { resendFailedEmail } from './messaging/emails/resend.ts';
import { checkSender } from './messaging/emails/senders/check.ts';
import { getSender, updateSender } from './messaging/emails/senders/endpoints.ts';
import { showEmailLink } from './messaging/emails/show-link.ts';
import { getEvent, listEvents } from './messaging/events/list.ts';
import { getNotificationSettings, updateNotificationSettings } from './messaging/notifications/endpoints.ts';
import { createChannel } from './messaging/webhooks/channels/create.ts';
import { getChannel, listChannels } from './messaging/webhooks/channels/list.ts';
import { testChannel } from './messaging/webhooks/channels/send-test.ts';
import { deleteChannel, updateChannel } from './messaging/webhooks/channels/update.ts';
import { createWebhook } from './messaging/webhooks/create.ts';
import { listDeliveries, readDelivery } from './messaging/webhooks/deliveries/list.ts';
import { redeliver, replayWebhook } from './messaging/webhooks/deliveries/redeliver.ts';
import { testWebhook } from './messaging/webhooks/deliveries/test-event.ts';
import { listWebhooks, readWebhook } from './messaging/webhooks/list.ts';
import { createPostback } from './messaging/webhooks/postbacks/create.ts';
import { listPostbackDeliveries, listPostbacks, testPostback } from './messaging/webhooks/postbacks/list.ts';
import { blockPostback, listAffiliatePostbacks } from './messaging/webhooks/postbacks/review.ts';
import { deletePostback, updatePostback } from './messaging/webhooks/postbacks/update.ts';
import { rotateWebhookSecret } from './messaging/webhooks/rotate-secret.ts';
import { deleteWebhook, updateWebhook } from './messaging/webhooks/update.ts';
import { advanceClock } from './operations/test-clock/advance.ts';
import { getClock } from './operations/test-clock/get.ts';
import { changeAffiliates } from './partners/affiliates/changes/bulk.ts';
import { decideAffiliate, undoAffiliateChanges } from './partners/affiliates/changes/decide.ts';
import { resendAffiliateInvitation } from './partners/affiliates/changes/resend-invitation.ts';
import { getAffiliate } from './partners/affiliates/get.ts';
import { importAffiliatesFromCsv } from './partners/affiliates/import/import.ts';
import { inviteAffiliates } from './partners/affiliates/import/invite-many.ts';
import { inviteAffiliate } from './partners/affiliates/invite.ts';
import { listAffiliates } from './partners/affiliates/list.ts';
import { createNote, deleteNote, listNotes, updateNote } from './partners/affiliates/notes/note.ts';
import { updateAffiliate } from './partners/affiliates/update.ts';
import { getAnnouncementAudience } from './partners/announcements/audience.ts';
import { cancelAnnouncement } from './partners/announcements/cancel.ts';
import { createAnnouncement } from './partners/announcements/create.ts';
import { getAnnouncement } from './partners/announcements/get.ts';
import { listAnnouncements } from './partners/announcements/list.ts';
import { sendAnnouncementNow } from './partners/announcements/send.ts';
import { testAnnouncement } from './partners/announcements/send-test.ts';
import { deleteAnnouncement, updateAnnouncement } from './partners/announcements/update.ts';
import { getApplication, listApplications } from './partners/applications/list.ts';
import { getJoinForm, updateJoinForm } from './partners/applications/settings/endpoints.ts';
import { decideErasureRequest, listErasureRequests } from './partners/erasure-requests/decide.ts';
import { getPortalErasure, requestErasure, withdrawErasure } from './partners/erasure-requests/portal.ts';
import { createGroup } from './partners/groups/create.ts';
import { readGroup } from './partners/groups/get.ts';
import { listGroups } from './partners/groups/list.ts';
import { getGroupMoves } from './partners/groups/moves/get.ts';
import { previewGroupMoves } from './partners/groups/moves/preview.ts';
import { updateGroupMoves } from './partners/groups/moves/update.ts';
import { updateGroup } from './partners/groups/update.ts';
import { getInvoiceAgreement } from './paying/invoices/details/get.ts';
import { agreePortalInvoices, getPortalInvoiceDetails, withdrawPortalInvoices } from './paying/invoices/details/portal.ts';
import { downloadInvoice } from './paying/invoices/document/download.ts';
import { getInvoice } from './paying/invoices/get.ts';
import { getInvoiceIssuer } from './paying/invoices/issuer/get.ts';
import { updateInvoiceIssuer } from './paying/invoices/issuer/update.ts';
import { listInvoices } from './paying/invoices/list.ts';
import { downloadPortalInvoice, listPortalInvoices } from './paying/invoices/portal.ts';
import { deletePayoutDetails } from './paying/payout-details/delete.ts';
import { getPayoutDetails } from './paying/payout-details/get.ts';
import {
  deletePortalPayoutDetails,
  getPortalPayoutDetails,
  setPortalPayoutDetails,
  updatePortalPayoutDetails,
} from './paying/payout-details/portal.ts';
import { setPayoutDetails } from './paying/payout-details/set.ts';
import { updatePayoutDetails } from './paying/payout-details/update.ts';
import { approveBatch } from './paying/payouts/batches/approve.ts';
import { cancelBatch } from './paying/payouts/batches/cancel.ts';
import { getBatch } from './paying/payouts/batches/get.ts';
import { listBatches } from './paying/payouts/batches/list.ts';
import { markBatchPaid } from './paying/payouts/batches/mark-paid.ts';
import { cancelPayout } from './paying/payouts/decide/cancel.ts';
import { markPaid } from './paying/payouts/decide/mark-paid.ts';
import { retryPayout } from './paying/payouts/decide/retry.ts';
import { dispatchPayouts } from './paying/payouts/dispatch.ts';
import { forecastPayouts } from './paying/payouts/due/forecast.ts';
import { listDue } from './paying/payouts/due/list-due.ts';
import { requestMissing } from './paying/payouts/due/request-missing.ts';
import { exportBatch } from './paying/payouts/export/export.ts';
import { readPayout } from './paying/payouts/get.ts';
import { listPayouts } from './paying/payouts/list.ts';
import { getPayoutReceipt } from './paying/payouts/receipt/get.ts';
import { getReconciliation } from './paying/payouts/reconcile/get-reconciliation.ts';
import { getDiscrepancy, listDiscrepancies } from './paying/payouts/reconcile/list-discrepancies.ts';
import { reconcilePayouts } from './paying/payouts/reconcile/reconcile.ts';
import { resolveDiscrepancy } from './paying/payouts/reconcile/resolve-discrepancy.ts';
import { getPayoutSchedule } from './paying/payouts/schedule/get.ts';
import { updatePayoutSchedule } from './paying/payouts/schedule/update.ts';
import { create1099File, createDac7File } from './paying/tax/files/endpoints.ts';
import { getTaxForm } from './paying/tax/get.ts';
import { listTaxTotals } from './paying/tax/list-totals.ts';
import { getPortalTaxForm, submitPortalTaxForm } from './paying/tax/portal.ts';
import { submitTaxForm } from './paying/tax/submit.ts';
import { getAuditIntegrity } from './platform/audit/get-integrity.ts';
import { getAuditEvent, listAuditEvents } from './platform/audit/list.ts';
import { cancelBackgroundTask, getBackgroundTask, listBackgroundTasks } from './platform/background-tasks/endpoints.ts';
import type { AnyEndpoint } from './platform/http/declaration/endpoint.ts';
import { getRequest, listRequests } from './platform/request-log/list.ts';
import { setProductStatuses } from './promotion/catalogue/bulk/set-statuses.ts';
import { createProduct } from './promotion/catalogue/create.ts';
import { productFeed } from './promotion/catalogue/feed.ts';
import { getProduct } from './promotion/catalogue/get.ts';
import { importProductsFromCsv } from './promotion/catalogue/import/import.ts';
import { listProducts } from './promotion/catalogue/list.ts';
import { listProductTable } from './promotion/catalogue/table.ts';
import { updateProduct } from './promotion/catalogue/update.ts';
import { createCoupons } from './promotion/coupons/bulk/create-many.ts';
import { setCouponStatuses } from './promotion/coupons/bulk/set-statuses.ts';
import { createCoupon } from './promotion/coupons/create.ts';
import { getCoupon } from './promotion/coupons/get.ts';
import { listCoupons } from './promotion/coupons/list.ts';
import { updateCoupon } from './promotion/coupons/update.ts';
import { getCouponUsage } from './promotion/coupons/usage/get-usage.ts';
import { checkDomain } from './promotion/domains/check.ts';
import { checkCertificate } from './promotion/domains/check-certificate.ts';
import { createDomain } from './promotion/domains/create.ts';
import { listDomains, readDomain } from './promotion/domains/list.ts';
import { deleteDomain, updateDomain } from './promotion/domains/update.ts';
import { getPortalPage } from './promotion/landing-pages/drafts/get.ts';
import { discardPageDraft, savePageDraft } from './promotion/landing-pages/drafts/save.ts';
import { checkPageSlug } from './promotion/landing-pages/drafts/slug-check.ts';
import { submitPage } from './promotion/landing-pages/drafts/submit.ts';
import { getLandingPage } from './promotion/landing-pages/get.ts';
import { publishLandingPage } from './promotion/landing-pages/publish.ts';
import { previewLandingPageReview, reviewLandingPage } from './promotion/landing-pages/reviewing/decide.ts';
import { listLandingPages } from './promotion/landing-pages/reviewing/list.ts';
import { getPageRevision, listPageRevisions } from './promotion/landing-pages/reviewing/revisions.ts';
import { undoPageReview } from './promotion/landing-pages/reviewing/undo.ts';
import { writeLandingPage } from './promotion/landing-pages/write.ts';
import { uploadMedia } from './promotion/media/upload.ts';
import { createResource } from './promotion/resources/create.ts';
import { getResourceFile } from './promotion/resources/get-file.ts';
import { getResource, listResources } from './promotion/resources/list.ts';
import { previewResource } from './promotion/resources/preview.ts';
import { updateResource } from './promotion/resources/update.ts';
import { previewPageDraft } from './promotion/storefronts/draft-preview.ts';
import { previewLandingPage } from './promotion/storefronts/preview-endpoint.ts';
import { getClickSettings, updateClickSettings } from './promotion/tracking/click-settings.ts';
import { getClick, listClicks, listRejectedClicks } from './promotion/tracking/list.ts';
import { affiliateQr } from './promotion/tracking/qr.ts';
import { recordClick } from './promotion/tracking/record-click.ts';
import { checkWebsite } from './promotion/tracking/website-check/check.ts';
import { getCoverage } from './stores/commerce/coverage.ts';
import { syncProvider } from './stores/commerce/sync.ts';
import { getProviderEvent, listProviderEvents } from './stores/inbox/list-events.ts';
import { listAffiliateActivity } from './views/affiliate-table/activity.ts';
import { exportAffiliateTable } from './views/affiliate-table/export.ts';
import { listAffiliateTable } from './views/affiliate-table/list.ts';
import { listAffiliateTags } from './views/affiliate-table/list-tags.ts';
import { getAffiliateSummary } from './views/affiliate-table/summary.ts';
import { exportAuditEvents } from './views/audit-log/export.ts';
import { getAuditEntry, listAuditEntries } from './views/audit-log/list.ts';
import { createExport } from './views/exports/create.ts';
import { cancelExport, downloadExport, getExport, listExports } from './views/exports/endpoints.ts';
import { getCohorts } from './views/insights/get-cohorts.ts';
import { getFunnel } from './views/insights/get-funnel.ts';
import { getMetrics } from './views/insights/get-metrics.ts';
import { getActivity } from './views/overview/activity.ts';
import { getAffiliatePerformance } from './views/overview/affiliate-performance.ts';
import { getChecklist } from './views/overview/checklist.ts';
import { getOverview } from './views/overview/overview.ts';
import { getPortalAccount, updatePortalAccount } from './views/portal/account.ts';
import { listPortalBounties, submitContent } from './views/portal/bounties.ts';
import { createPortalClaim, listPortalClaims } from './views/portal/claims.ts';
import { listEarnings } from './views/portal/earnings.ts';
import { explainEarning } from './views/portal/explain-earning.ts';
import { getPortalHome } from './views/portal/home.ts';
import { leaveProgram } from './views/portal/leave.ts';
import { createLink, deleteLink, listLinks } from './views/portal/links.ts';
import { downloadOwnData } from './views/portal/own-data/download.ts';
import { downloadAllOwnData } from './views/portal/own-data/download-all.ts';
import { getPortalPayout, listPortalPayouts } from './views/portal/payouts/payouts.ts';
import { getPortalQr } from './views/portal/qr.ts';
import { getRateCard } from './views/portal/rates.ts';
import { getPortalResourceFile, listPortalResources } from './views/portal/resources.ts';
import { checkSlug, setSlug } from './views/portal/slug.ts';
import { listProgramFigures } from './views/programs/list.ts';
import { listReviewItemsOfAllPrograms } from './views/review/all-programs.ts';
import { countReviewItems, listReviewItems } from './views/review/queue.ts';
import { searchProgram } from './views/search/search.ts';

// Several lists, because the compiler can't join the types of so many endpoints in one.

/** For users, and members of a program who use the console. */
const consoleEndpoints: readonly AnyEndpoint[] = [
  getAppMe,
  updateAppMe,
  listSessions,
  endOneSession,
  endOtherSessions,
  signOut,

  getBrand,
  listProgramFigures,
  listReviewItemsOfAllPrograms,
  createUserProgram,
  goLive,
  updateBrand,
  getJoinForm,
  updateJoinForm,
  listApplications,
  getApplication,
  previewLandingPage,
  previewDeletion,
  deleteProgram,
  cancelProgramDeletion,
  listMembers,
  confirmMember,
  updateMember,
  removeMember,
  getSingleSignOn,
  updateSingleSignOn,
  removeSingleSignOn,
  addSingleSignOnDomain,
  verifySingleSignOnDomain,
  updateSingleSignOnDomain,
  removeSingleSignOnDomain,
  listInvitations,
  requestAccess,
  listErasureRequests,
  decideErasureRequest,
  listAccessRequests,
  decideAccessRequest,
  startAffiliateView,
  endAffiliateView,
  inviteMember,
  resendInvitation,
  revokeInvitation,
  listEmails,
  getEmail,
  previewEmail,
  resendFailedEmail,
  showEmailLink,
  getEmailSettings,
  switchEmail,
  updateEmailText,
  restoreEmailText,
  sendTestEmail,
  getEmailPreview,
  showEmailPreview,
  listAnnouncements,
  createAnnouncement,
  getAnnouncement,
  updateAnnouncement,
  testAnnouncement,
  sendAnnouncementNow,
  cancelAnnouncement,
  getAnnouncementAudience,
  deleteAnnouncement,
];

/** The public API and the portal. */
const programEndpoints: readonly AnyEndpoint[] = [
  getMe,
  readProgram,
  updateProgram,
  getClock,
  advanceClock,
  approveSettingChange,
  cancelSettingChange,
  listApiKeys,
  createApiKey,
  getApiKey,
  updateApiKey,
  rotateApiKey,
  revokeApiKey,
  listAuditEvents,
  exportAuditEvents,
  getAuditIntegrity,
  getAuditEvent,
  listEvents,
  getEvent,

  listAffiliates,
  inviteAffiliate,
  getAffiliate,
  updateAffiliate,
  createEmbedToken,
  getPayoutDetails,
  setPayoutDetails,
  updatePayoutDetails,
  deletePayoutDetails,
  getTaxForm,
  submitTaxForm,
  listTaxTotals,
  create1099File,
  createDac7File,

  getInvoiceIssuer,
  updateInvoiceIssuer,
  getInvoiceAgreement,
  listInvoices,
  getInvoice,
  downloadInvoice,

  getLandingPage,
  writeLandingPage,

  listGroups,
  createGroup,
  readGroup,
  updateGroup,
  getGroupMoves,
  updateGroupMoves,
  previewGroupMoves,

  listDomains,
  createDomain,
  readDomain,
  updateDomain,
  deleteDomain,
  checkDomain,
  checkCertificate,

  listProducts,
  createProduct,
  importProductsFromCsv,
  productFeed,
  getProduct,
  updateProduct,
  listProductTable,
  setProductStatuses,

  listCoupons,
  createCoupon,
  createCoupons,
  getCoupon,
  updateCoupon,
  getCouponUsage,
  setCouponStatuses,

  listRules,
  createRule,
  getRule,
  updateRule,
  resolveRule,
  listRates,
  previewOrder,
  previewRateEmails,
  simulateRules,
  createSimulation,
  readSimulation,
  cancelSimulation,

  searchProgram,
  listOrderTable,
  listCustomerTable,
  sumConversions,
  enterConversion,
  refundOrder,
  moveOrder,
  increaseOrder,
  cancelOrder,
  creditUnattributedOrder,
  reportConversion,

  recordClick,
  listClicks,
  getClick,
  listRejectedClicks,
  checkWebsite,
  getClickSettings,
  updateClickSettings,
  affiliateQr,

  reportConversions,
  listConversions,
  getConversion,
  explainConversion,
  testConversion,
  listUnattributedOrders,
  getUnattributedOrder,
  reportLead,
  listLeads,
  getLead,
  rejectReportedLead,
  listCustomers,
  getCustomer,
  updateCustomer,
  listOrderMismatches,
  getOrderMismatch,
  listClaims,
  getClaim,
  createClaim,
  decideClaim,

  listResources,
  getResource,
  getResourceFile,
  createResource,
  updateResource,
  previewResource,

  listBounties,
  getBounty,
  createBounty,
  updateBounty,
  listSubmissions,
  getSubmission,
  createSubmission,
  decideSubmission,

  listCommissions,
  getCommission,
  grantBonus,
  holdCommission,
  releaseCommission,
  adjustCommission,

  listExchangeRates,
  uploadExchangeRates,
  getExchangeRateStatus,

  reportRefund,
  listRefunds,
  getRefund,
  reportDispute,
  listDisputes,
  getDispute,

  listEntries,
  getEntry,
  getIntegrity,
  getJournal,
  getBalance,
  getStatement,

  listProviders,
  createProvider,
  readProvider,
  updateProvider,
  testProvider,
  getSender,
  updateSender,
  checkSender,
  getNotificationSettings,
  updateNotificationSettings,
  createChannel,
  listChannels,
  getChannel,
  updateChannel,
  testChannel,
  deleteChannel,
  createWebhook,
  listWebhooks,
  readWebhook,
  updateWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listDeliveries,
  readDelivery,
  redeliver,
  deleteWebhook,
  listRequests,
  getRequest,
  listAlerts,
  getAlert,
  listProviderEvents,
  getProviderEvent,
  getCoverage,
  syncProvider,

  listFraudEvents,
  getFraudEvent,
  resolveFraudEventLater,
  resolveFraudEvent,
  getFraudSettings,
  updateFraudSettings,
  getFraudEffect,

  listPayouts,
  listDue,
  requestMissing,
  forecastPayouts,
  getPayoutSchedule,
  updatePayoutSchedule,
  dispatchPayouts,
  listBatches,
  getBatch,
  approveBatch,
  exportBatch,
  markBatchPaid,
  cancelBatch,
  getReconciliation,
  reconcilePayouts,
  listDiscrepancies,
  getDiscrepancy,
  resolveDiscrepancy,
  readPayout,
  getPayoutReceipt,
  markPaid,
  cancelPayout,
  retryPayout,

  signIn,
  enterWithLink,
  enterWithCode,
  createSignInOptions,
  signInWithPasskey,
  getConfirmMethods,
  sendConfirmCode,
  createConfirmOptions,
  confirmIdentity,
  listPasskeys,
  createPasskeyOptions,
  addPasskey,
  renamePasskey,
  removePasskey,
  getSecondFactor,
  startAuthenticator,
  confirmAuthenticator,
  createRecoveryCodes,
  removeAuthenticator,

  getOverview,
  getChecklist,
  getActivity,
  getAffiliatePerformance,
  getMetrics,
  getFunnel,
  getCohorts,

  listReviewItems,
  countReviewItems,
  listLandingPages,
  listPageRevisions,
  getPageRevision,
  reviewLandingPage,
  publishLandingPage,
  previewLandingPageReview,
  undoPageReview,
  decideClaimLater,
  decideSubmissionLater,
  undoDecision,

  listAffiliateTable,
  listAffiliateTags,
  listAuditEntries,
  getAuditEntry,
  exportAffiliateTable,
  decideAffiliate,
  undoAffiliateChanges,
  changeAffiliates,
  changeCommissions,
  grantBonuses,
  resendAffiliateInvitation,
  inviteAffiliates,
  importAffiliatesFromCsv,
  getAffiliateSummary,
  listAffiliateActivity,
  listNotes,
  createNote,
  updateNote,
  deleteNote,

  getPreferences,
  updatePreferences,
  listSavedViews,
  createSavedView,
  updateSavedView,
  deleteSavedView,

  listBackgroundTasks,
  getBackgroundTask,
  cancelBackgroundTask,
  createExport,
  listExports,
  getExport,
  cancelExport,
  downloadExport,

  uploadMedia,
  getPortalPage,
  submitPage,
  discardPageDraft,
  savePageDraft,
  checkPageSlug,
  previewPageDraft,
  getPortalAccount,
  updatePortalAccount,
  downloadOwnData,
  downloadAllOwnData,
  getPortalErasure,
  requestErasure,
  withdrawErasure,
  openEmbeddedPortal,
  getPortalHome,
  listLinks,
  createLink,
  deleteLink,
  checkSlug,
  setSlug,
  getPortalQr,
  listEarnings,
  explainEarning,
  listPortalClaims,
  createPortalClaim,
  getRateCard,
  listPortalBounties,
  listPortalResources,
  getPortalResourceFile,
  submitContent,
  listPortalPayouts,
  getPortalPayout,
  getPortalStatement,
  getPortalPayoutDetails,
  setPortalPayoutDetails,
  updatePortalPayoutDetails,
  deletePortalPayoutDetails,
  getPortalTaxForm,
  submitPortalTaxForm,
  getPortalInvoiceDetails,
  agreePortalInvoices,
  withdrawPortalInvoices,
  listPortalInvoices,
  downloadPortalInvoice,
  listPostbacks,
  createPostback,
  updatePostback,
  testPostback,
  listPostbackDeliveries,
  listAffiliatePostbacks,
  blockPostback,
  deletePostback,
  // Last: tests call the endpoints in this order, and after it the account no longer exists.
  leaveProgram,
];

export const api: readonly AnyEndpoint[] = [...consoleEndpoints, ...programEndpoints];
