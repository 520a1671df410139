// Every email with sample contents, rendered by the functions that render the emails that are sent.

import { renderAnnouncement } from '../kinds/affiliates/announcement.ts';
import { renderApplicationConfirmation } from '../kinds/affiliates/application-confirmation.ts';
import { renderApplicationReceived } from '../kinds/affiliates/application-received.ts';
import { renderApproval } from '../kinds/affiliates/approval.ts';
import { renderDecision } from '../kinds/affiliates/decision.ts';
import { renderInvitation } from '../kinds/affiliates/invitation.ts';
import { renderPageReview } from '../kinds/affiliates/page-review.ts';
import { renderAlert } from '../kinds/alert.ts';
import { renderBountyDecision } from '../kinds/earnings/bounty-decision.ts';
import { renderFirstSale } from '../kinds/earnings/first-sale.ts';
import { renderGroupChanged } from '../kinds/earnings/group-changed.ts';
import { renderRateChanged } from '../kinds/earnings/rate-changed.ts';
import { renderStatement } from '../kinds/earnings/statement.ts';
import { renderAccessRequest } from '../kinds/members/access-request.ts';
import { renderErasureRequest } from '../kinds/members/erasure-request.ts';
import { renderMemberInvitation } from '../kinds/members/member-invitation.ts';
import { renderNotifications } from '../kinds/members/notifications.ts';
import { renderPayoutDetailsChanged } from '../kinds/payouts/details-changed.ts';
import { renderPayoutFailed } from '../kinds/payouts/failed.ts';
import { renderInvoiceIssued } from '../kinds/payouts/invoice.ts';
import { renderPayoutPaid } from '../kinds/payouts/paid.ts';
import { renderPayoutRequest } from '../kinds/payouts/request.ts';
import { renderScheduledPayouts } from '../kinds/payouts/scheduled.ts';
import { renderTaxFormSubmitted } from '../kinds/payouts/tax-form-submitted.ts';
import { renderProgramDeletion } from '../kinds/program-deletion.ts';
import { renderFactorChange } from '../kinds/second-factor-changed.ts';
import { renderSecurityNotice } from '../kinds/security-notice.ts';
import { renderSettingChange } from '../kinds/setting-change.ts';
import { renderSignInEmail } from '../kinds/sign-in/content.ts';
import type { DirectKind, EmailKind } from '../kinds/table.ts';
import { renderChannelDisabled, renderPostbackDisabled, renderWebhookDisabled } from '../kinds/webhook-disabled.ts';
import type { RenderedEmail } from '../layout.ts';
import type { Frame, Sender } from '../look/look.ts';
import {
  at,
  bounty,
  cancellation,
  email,
  groupMove,
  invoice,
  later,
  page,
  payout,
  rateChange,
  type SampleWords,
  sampleWords,
  scheduled,
  sums,
  toAffiliate,
} from './sample-facts.ts';

type Sample = {
  kind: EmailKind | DirectKind;
  render(frame: Frame, sender: Sender, given: SampleWords & { origin: string }): RenderedEmail;
};

/** In the order in which an affiliate gets them; those to members of the program are last. */
export const samples = {
  invitation: {
    kind: 'invitation',
    render: (frame, sender, given) => renderInvitation(frame, sender, { affiliate: toAffiliate(given), message: given.message }),
  },
  application_confirmation: {
    kind: 'application_confirmation',
    render: (frame, sender, { firstName, origin }) =>
      renderApplicationConfirmation(frame, sender, { firstName, url: `${origin}/join/program`, code: '492039' }),
  },
  application_received: {
    kind: 'application_received',
    render: (frame, sender, given) =>
      renderApplicationReceived(frame, sender, { affiliate: toAffiliate(given), statusUrl: `${given.origin}/portal` }),
  },
  approval: {
    kind: 'approval',
    render: (frame, sender, given) => renderApproval(frame, sender, { affiliate: toAffiliate(given), linkUrl: `${given.origin}/r/ada` }),
  },
  rejection: {
    kind: 'decision',
    render: (frame, sender, given) =>
      renderDecision(frame, sender, { affiliate: toAffiliate(given), status: 'rejected', note: given.reason }),
  },
  suspension: {
    kind: 'decision',
    render: (frame, sender, given) =>
      renderDecision(frame, sender, { affiliate: toAffiliate(given), status: 'suspended', note: given.reason }),
  },
  page_live: {
    kind: 'page_review',
    render: (frame, sender, given) =>
      renderPageReview(frame, sender, { affiliate: toAffiliate(given), verdict: 'approved', note: null, ...page(given.origin) }),
  },
  changes_requested: {
    kind: 'page_review',
    render: (frame, sender, given) =>
      renderPageReview(frame, sender, {
        affiliate: toAffiliate(given),
        verdict: 'changes_requested',
        note: given.note,
        ...page(given.origin),
      }),
  },
  postback_disabled: {
    kind: 'postback_disabled',
    render: (frame, sender, { firstName, origin }) =>
      renderPostbackDisabled(frame, sender, { firstName, host: 'tracker.example', reason: 'failing', postbacksUrl: `${origin}/portal` }),
  },
  first_sale: {
    kind: 'first_sale',
    render: (frame, sender, { firstName, origin }) =>
      renderFirstSale(frame, sender, { firstName, commissionCents: 3735, currency: 'USD', earningsUrl: `${origin}/portal` }),
  },
  payout_paid: {
    kind: 'payout_paid',
    render: (frame, sender, { firstName, origin }) =>
      renderPayoutPaid(frame, sender, { firstName, amountCents: 12_850, currency: 'USD', payoutsUrl: `${origin}/portal` }),
  },
  payout_failed: {
    kind: 'payout_failed',
    render: (frame, sender, { firstName, origin }) =>
      renderPayoutFailed(frame, sender, { firstName, amountCents: 12_850, currency: 'USD', detailsUrl: `${origin}/portal` }),
  },
  invoice_issued: {
    kind: 'invoice',
    render: (frame, sender, { firstName, origin }) =>
      renderInvoiceIssued(frame, sender, { ...invoice, cancelsNumber: null, firstName, invoicesUrl: `${origin}/portal` }),
  },
  invoice_cancelled: {
    kind: 'invoice',
    render: (frame, sender, { firstName, origin }) =>
      renderInvoiceIssued(frame, sender, { ...cancellation, cancelsNumber: invoice.number, firstName, invoicesUrl: `${origin}/portal` }),
  },
  statement: {
    kind: 'statement',
    render: (frame, sender, { firstName, origin }) => renderStatement(frame, sender, { firstName, sums, statementUrl: `${origin}/portal` }),
  },
  group_changed: {
    kind: 'group_changed',
    render: (frame, sender, { firstName, origin }) =>
      renderGroupChanged(frame, sender, { ...groupMove, firstName, currency: 'USD', ratesUrl: `${origin}/portal` }),
  },
  rate_changed: {
    kind: 'rate_changed',
    render: (frame, sender, { firstName, origin }) =>
      renderRateChanged(frame, sender, { ...rateChange, firstName, currency: 'USD', timezone: 'UTC', ratesUrl: `${origin}/portal` }),
  },
  bounty_approved: {
    kind: 'bounty_decision',
    render: (frame, sender, { firstName, origin }) =>
      renderBountyDecision(frame, sender, { ...bounty, decision: 'approved', note: null, firstName, bountiesUrl: `${origin}/portal` }),
  },
  bounty_rejected: {
    kind: 'bounty_decision',
    render: (frame, sender, { firstName, note, origin }) =>
      renderBountyDecision(frame, sender, { ...bounty, decision: 'rejected', note, firstName, bountiesUrl: `${origin}/portal` }),
  },
  announcement: {
    kind: 'announcement',
    render: (frame, sender, { firstName, origin }) => renderAnnouncement(frame, sender, { firstName, portalUrl: `${origin}/portal` }),
  },
  payout_request: {
    kind: 'payout_request',
    render: (frame, sender, { firstName, origin }) =>
      renderPayoutRequest(frame, sender, {
        firstName,
        missing: 'payout_details',
        amountCents: 12_850,
        currency: 'USD',
        accountUrl: `${origin}/portal`,
      }),
  },
  payout_details_changed: {
    kind: 'payout_details_changed',
    render: (frame, sender, given) => renderPayoutDetailsChanged(frame, sender, { affiliate: toAffiliate(given), change: payout }),
  },
  tax_form_submitted: {
    kind: 'tax_form_submitted',
    render: (frame, sender, { firstName, origin }) =>
      renderTaxFormSubmitted(frame, sender, {
        affiliate: { firstName },
        submission: { kind: 'w8ben', formerKind: null, submittedAt: at },
        formUrl: `${origin}/portal`,
      }),
  },
  sign_in: {
    kind: 'sign_in',
    render: ({ locale }, _sender, { origin }) =>
      renderSignInEmail({
        locale,
        url: `${origin}/sign-in`,
        code: '492039',
        requestedBy: { browser: 'Firefox', system: 'macOS' },
        requestedAt: at,
      }),
  },
  security_notice: {
    kind: 'security_notice',
    render: ({ locale }, _sender, { origin, passkey }) =>
      renderSecurityNotice({ locale, email, event: 'passkey_added', name: passkey, at, url: `${origin}/sign-in` }),
  },
  member_invitation: {
    kind: 'member_invitation',
    render: (frame, { name }, { member, firstName }) =>
      renderMemberInvitation(frame, name, { email, name: firstName, role: 'finance', expiresAt: later, inviter: member }),
  },
  setting_change: {
    kind: 'setting_change',
    render: (frame, { name }, { origin }) =>
      renderSettingChange(
        frame,
        { name, currency: 'USD' },
        { before: { payoutApprovalCents: 100_000 }, after: { payoutApprovalCents: null }, at, settingsUrl: `${origin}/console` },
      ),
  },
  payout_schedule: {
    kind: 'payout_schedule',
    render: (frame, { name }, { origin }) =>
      renderScheduledPayouts(frame, { name, currency: 'USD' }, { ...scheduled, url: `${origin}/console` }),
  },
  notifications: {
    kind: 'notifications',
    render: ({ locale }, { name }, { origin: url }) =>
      renderNotifications(locale, name, {
        items: [{ kind: 'page', name: 'Ada Lindqvist', amount: null }],
        isDaily: false,
        url,
        settingsUrl: url,
      }),
  },
  erasure_request: {
    kind: 'erasure_request',
    render: (frame, { name }, { member, origin }) =>
      renderErasureRequest(frame, name, { event: 'open', name: member, note: null, url: `${origin}/console` }),
  },
  access_request: {
    kind: 'access_request',
    render: (frame, { name }, { member, origin }) =>
      renderAccessRequest(frame, name, { event: 'open', name: member, role: 'finance', url: `${origin}/console` }),
  },
  webhook_disabled: {
    kind: 'webhook_disabled',
    render: (frame, { name }) => renderWebhookDisabled(frame, name, { url: 'https://hooks.example/tributary', reason: 'failing' }),
  },
  notification_channel_disabled: {
    kind: 'webhook_disabled',
    render: (frame, { name }) =>
      renderChannelDisabled(frame, name, { channel: '#affiliates', url: 'https://hooks.slack.com/…x7Kq', reason: 'failing' }),
  },
  alert: {
    kind: 'alert',
    render: (frame, { name }) =>
      renderAlert(frame, name, {
        kind: 'provider_failing',
        name: 'Shopify',
        reason: 'No orders for 30 hours; usually one every 40 minutes.',
      }),
  },
  program_deletion: {
    kind: 'program_deletion',
    render: (frame, { name }, { member, origin }) =>
      renderProgramDeletion(frame, name, { requestedBy: member, deleteAfter: later, restoreUrl: `${origin}/console?all=1` }),
  },
  second_factor_changed: {
    kind: 'second_factor_changed',
    render: (frame, { name }, { member, origin }) =>
      renderFactorChange(frame, name, { member, event: 'added', waits: true, membersUrl: `${origin}/console` }),
  },
} satisfies Record<string, Sample>;

export type SampleId = keyof typeof samples;
export const sampleIds = Object.keys(samples) as [SampleId, ...SampleId[]];

/** An email with these words. */
export function renderSample(
  id: SampleId,
  { frame, sender, origin, words }: { frame: Frame; sender: Sender; origin: string; words?: SampleWords },
): RenderedEmail {
  const sample: Sample = samples[id];
  return sample.render(frame, sender, { ...(words ?? sampleWords[frame.locale]), origin });
}
