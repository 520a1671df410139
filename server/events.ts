// TABLE OF CONTENTS: every event that integrations can receive. `GET …/events` lists them, webhooks send them.

import { providerNeedsAttention } from './connections/providers/needs-attention.ts';
import { bountyEarned, submissionApproved, submissionCreated, submissionRejected } from './earning/bounties/events.ts';
import { rulePublished } from './earning/commission-rules/write-rule.ts';
import { commissionAdjusted, commissionCreated, commissionMatured, commissionPaid } from './earning/commissions/events.ts';
import { customerBound, customerUnbound, leadCreated, leadRejected } from './earning/customers/events.ts';
import { fraudFlagged, fraudResolved } from './earning/fraud/events.ts';
import { conversionCancelled, conversionIncreased, conversionMoved } from './earning/order-changes/events.ts';
import { conversionApproved, conversionCreated, conversionHeld, conversionRejected } from './earning/orders/events.ts';
import { refundCreated } from './earning/refunds/events.ts';
import { alertOpened, alertResolved } from './messaging/alerts/events.ts';
import type { EventDefinition } from './messaging/events/define.ts';
import { webhookTested } from './messaging/webhooks/deliveries/test-event.ts';
import {
  affiliateApproved,
  affiliateArchived,
  affiliateCreated,
  affiliateRejected,
  affiliateSuspended,
  affiliateUpdated,
} from './partners/affiliates/events.ts';
import { groupChanged } from './partners/groups/events.ts';
import { invoiceCancelled, invoiceIssued } from './paying/invoices/events.ts';
import {
  payoutBatchApproved,
  payoutBatchCompleted,
  payoutBatchCreated,
  payoutCancelled,
  payoutCreated,
  payoutFailed,
  payoutPaid,
  payoutReturned,
  payoutSent,
} from './paying/payouts/events.ts';
import { couponCreated, couponDisabled, couponRedeemed } from './promotion/coupons/events.ts';
import { domainFailed, domainVerified } from './promotion/domains/events.ts';
import {
  landingPageApproved,
  landingPageChangesRequested,
  landingPageSubmitted,
  landingPageUpdated,
} from './promotion/landing-pages/events.ts';
import { resourceCreated, resourceUpdated } from './promotion/resources/events.ts';

export const events: readonly EventDefinition[] = [
  affiliateCreated,
  affiliateApproved,
  affiliateUpdated,
  affiliateSuspended,
  affiliateRejected,
  affiliateArchived,
  groupChanged,

  conversionCreated,
  conversionHeld,
  conversionApproved,
  conversionRejected,
  conversionMoved,
  conversionIncreased,
  conversionCancelled,

  commissionCreated,
  commissionMatured,
  commissionAdjusted,
  commissionPaid,
  refundCreated,

  bountyEarned,
  submissionCreated,
  submissionApproved,
  submissionRejected,

  leadCreated,
  leadRejected,
  customerBound,
  customerUnbound,

  couponCreated,
  couponRedeemed,
  couponDisabled,
  landingPageSubmitted,
  landingPageApproved,
  landingPageChangesRequested,
  landingPageUpdated,
  resourceCreated,
  resourceUpdated,

  payoutCreated,
  payoutSent,
  payoutPaid,
  payoutFailed,
  payoutCancelled,
  payoutReturned,
  payoutBatchCreated,
  payoutBatchApproved,
  payoutBatchCompleted,
  invoiceIssued,
  invoiceCancelled,

  rulePublished,
  fraudFlagged,
  fraudResolved,
  providerNeedsAttention,
  domainVerified,
  domainFailed,
  alertOpened,
  alertResolved,

  webhookTested,
];
