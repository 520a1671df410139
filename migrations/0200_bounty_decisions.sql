-- Content for bounties in the review inbox, and the emails about decisions on it.

alter table pending_decisions drop constraint pending_decisions_kind_known;
alter table pending_decisions add constraint pending_decisions_kind_known check (kind in ('claim', 'fraud_alert', 'bounty_submission'));

comment on table pending_decisions is
  'Decisions of members about claims, fraud alerts and content for bounties, which take effect at `apply_at` unless they are '
  'undone. `dropped`: the subject was decided otherwise in the meantime, or the decision was no longer possible.';

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'tax_form_submitted', 'access_request', 'payout_schedule', 'invoice',
    'group_changed', 'announcement', 'bounty_decision'));
