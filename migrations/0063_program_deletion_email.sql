-- The owners of a program are notified by email that it will be deleted.

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in (
    'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation',
    'page_review', 'application_received', 'webhook_disabled', 'alert', 'postback_disabled', 'program_deletion'));
