// TABLE OF CONTENTS: everything the system can be asked over HTTP.
import { inviteAffiliate } from './affiliates/invite.ts';
import { listAffiliates } from './affiliates/list.ts';
import { updateAffiliate } from './affiliates/update.ts';
import { createProduct } from './catalogue/create.ts';
import { productFeed } from './catalogue/feed.ts';
import { getProduct } from './catalogue/get.ts';
import { importProducts } from './catalogue/import.ts';
import { listProducts } from './catalogue/list.ts';
import { updateProduct } from './catalogue/update.ts';
import { createClaim } from './claims/create.ts';
import { decideClaim } from './claims/decide.ts';
import { listClaims } from './claims/list.ts';
import { getCoverage } from './commerce/coverage.ts';
import { syncProvider } from './commerce/sync/sync.ts';
import { createRule } from './commission-rules/create.ts';
import { getRule } from './commission-rules/get.ts';
import { listRules } from './commission-rules/list.ts';
import { resolveRule } from './commission-rules/resolve.ts';
import { simulateRules } from './commission-rules/simulate.ts';
import { archiveRule, updateRule } from './commission-rules/update.ts';
import { adjustCommission, grantBonus } from './commissions/adjust.ts';
import { holdCommission, releaseCommission } from './commissions/hold.ts';
import { getCommission, listCommissions } from './commissions/list.ts';
import { explainConversion } from './conversions/explanation.ts';
import { getConversion, listConversions } from './conversions/list.ts';
import { listUnattributed } from './conversions/list-unattributed.ts';
import { previewOrder } from './conversions/preview.ts';
import { reportConversion } from './conversions/report.ts';
import { reportConversions } from './conversions/report-batch.ts';
import { createCoupon } from './coupons/create.ts';
import { deleteCoupon } from './coupons/delete.ts';
import { getCoupon } from './coupons/get.ts';
import { listCoupons } from './coupons/list.ts';
import { updateCoupon } from './coupons/update.ts';
import { listFraudEvents } from './fraud/list.ts';
import { resolveFraudEvent } from './fraud/resolve.ts';
import { getFraudSettings, updateFraudSettings } from './fraud/settings.ts';
import { createGroup } from './groups/create.ts';
import { readGroup } from './groups/get.ts';
import { listGroups } from './groups/list.ts';
import { updateGroup } from './groups/update.ts';
import type { AnyEndpoint } from './http/endpoint.ts';
import { getLandingPage } from './landing-pages/get.ts';
import { writeLandingPage } from './landing-pages/write.ts';
import { getIntegrity } from './ledger/get-integrity.ts';
import { getJournal } from './ledger/journal.ts';
import { listEntries } from './ledger/list-entries.ts';
import { deletePayoutDetails } from './payout-details/delete.ts';
import { getPayoutDetails } from './payout-details/get.ts';
import { setPayoutDetails } from './payout-details/set.ts';
import { approveBatch } from './payouts/decide/approve.ts';
import { cancelBatch } from './payouts/decide/cancel-batch.ts';
import { markBatchPaid } from './payouts/decide/mark-batch-paid.ts';
import { cancelPayout, markPaid } from './payouts/decide/mark-paid.ts';
import { retryPayout } from './payouts/decide/retry.ts';
import { dispatchPayouts } from './payouts/dispatch.ts';
import { listDue } from './payouts/due.ts';
import { exportBatch } from './payouts/export/export.ts';
import { forecastPayouts } from './payouts/forecast.ts';
import { getPayout, listPayouts } from './payouts/list.ts';
import { getBatch, listBatches } from './payouts/list-batches.ts';
import { listDifferences, resolveDifference } from './payouts/reconcile/differences.ts';
import { reconcilePayouts } from './payouts/reconcile/reconcile.ts';
import { readProgram } from './programs/get.ts';
import { getMe } from './programs/me.ts';
import { approveSettingChange, cancelSettingChange } from './programs/setting-changes/decide.ts';
import { updateProgram } from './programs/update.ts';
import { createProvider } from './providers/create.ts';
import { listProviders, readProvider } from './providers/list.ts';
import { listProviderEvents } from './providers/list-events.ts';
import { tryProvider } from './providers/try.ts';
import { archiveProvider, updateProvider } from './providers/update.ts';
import { reportDispute } from './refunds/dispute.ts';
import { listRefunds } from './refunds/list.ts';
import { reportRefund } from './refunds/report.ts';
import { getBalance } from './statements/balance.ts';
import { getStatement } from './statements/get-statement.ts';
import { getTaxForm } from './tax/get.ts';
import { listTaxTotals } from './tax/list-totals.ts';
import { submitTaxForm } from './tax/submit.ts';
import { getClickSettings, updateClickSettings } from './tracking/click-settings.ts';
import { listClicks, listRefusals } from './tracking/list.ts';
import { affiliateQr } from './tracking/qr.ts';
import { recordClick } from './tracking/report.ts';

export const api: readonly AnyEndpoint[] = [
  getMe,
  readProgram,
  updateProgram,
  approveSettingChange,
  cancelSettingChange,

  listAffiliates,
  inviteAffiliate,
  updateAffiliate,
  getPayoutDetails,
  setPayoutDetails,
  deletePayoutDetails,
  getTaxForm,
  submitTaxForm,
  listTaxTotals,

  getLandingPage,
  writeLandingPage,

  listGroups,
  createGroup,
  readGroup,
  updateGroup,

  listProducts,
  createProduct,
  importProducts,
  productFeed,
  getProduct,
  updateProduct,

  listCoupons,
  createCoupon,
  getCoupon,
  updateCoupon,
  deleteCoupon,

  listRules,
  createRule,
  getRule,
  updateRule,
  archiveRule,
  resolveRule,
  previewOrder,
  simulateRules,

  reportConversion,

  recordClick,
  listClicks,
  listRefusals,
  getClickSettings,
  updateClickSettings,
  affiliateQr,

  reportConversions,
  listConversions,
  getConversion,
  explainConversion,
  listUnattributed,
  listClaims,
  createClaim,
  decideClaim,

  listCommissions,
  getCommission,
  grantBonus,
  holdCommission,
  releaseCommission,
  adjustCommission,

  reportRefund,
  listRefunds,
  reportDispute,

  listEntries,
  getIntegrity,
  getJournal,
  getBalance,
  getStatement,

  listProviders,
  createProvider,
  readProvider,
  updateProvider,
  tryProvider,
  listProviderEvents,
  getCoverage,
  syncProvider,
  archiveProvider,

  listFraudEvents,
  resolveFraudEvent,
  getFraudSettings,
  updateFraudSettings,

  listPayouts,
  listDue,
  forecastPayouts,
  dispatchPayouts,
  listBatches,
  getBatch,
  approveBatch,
  exportBatch,
  markBatchPaid,
  cancelBatch,
  reconcilePayouts,
  listDifferences,
  resolveDifference,
  getPayout,
  markPaid,
  cancelPayout,
  retryPayout,
];
