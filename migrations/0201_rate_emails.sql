-- Emails to affiliates whose commission a new version of a rule changes.

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'tax_form_submitted', 'access_request', 'payout_schedule', 'invoice',
    'group_changed', 'announcement', 'bounty_decision', 'rate_changed'));

-- Decides between processes that write the same email at the same time.
create unique index emails_rate_changed_once on emails (program_id, affiliate_id, audit_id) where kind = 'rate_changed';
