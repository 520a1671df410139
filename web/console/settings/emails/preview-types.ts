import type { Result } from '../../../api/call.ts';

export type EmailPreview = Result<'emailPreview.get'>;
export type EmailId = EmailPreview['email'];

/** The emails by recipient, in the order in which they are sent. */
export const emailGroups = [
  {
    id: 'affiliates',
    emails: [
      'application_confirmation',
      'application_received',
      'invitation',
      'approval',
      'rejection',
      'suspension',
      'page_live',
      'changes_requested',
      'first_sale',
      'payout_paid',
      'payout_failed',
      'payout_request',
      'invoice_issued',
      'invoice_cancelled',
      'statement',
      'group_changed',
      'postback_disabled',
    ],
  },
  { id: 'security', emails: ['sign_in', 'security_notice', 'payout_details_changed', 'tax_form_submitted'] },
  {
    id: 'members',
    emails: [
      'member_invitation',
      'access_request',
      'erasure_request',
      'payout_schedule',
      'setting_change',
      'webhook_disabled',
      'alert',
      'program_deletion',
      'second_factor_changed',
    ],
  },
] as const satisfies readonly { id: string; emails: readonly EmailId[] }[];

export type Locale = 'en' | 'de';
export type EmailSetting = Result<'emailSettings.get'>['emails'][number];
export type EmailText = { subject: string; heading: string; body: string };

/** The text of an email in a language. */
export function textOf({ texts }: EmailSetting, locale: Locale): EmailText {
  const { subject, heading, body } = texts[locale];
  return { subject, heading, body };
}

const switchable = ['first_sale', 'payout_paid', 'payout_failed', 'statement'] as const satisfies readonly EmailSetting['email'][];

/** Whether the program can switch the email off. */
export function isSwitchable(email: EmailSetting['email']): email is (typeof switchable)[number] {
  return switchable.some((one) => one === email);
}
