-- Emails to members about what happens in a program, as each of them chooses.

create table notification_choices (
  program_id uuid not null,
  user_id uuid not null,
  kind text not null,
  delivery text not null,
  updated_at timestamptz not null,
  constraint notification_choices_pkey primary key (program_id, user_id, kind),
  constraint notification_choices_program_fkey foreign key (program_id) references programs (id),
  constraint notification_choices_user_fkey foreign key (user_id) references users (id),
  constraint notification_choices_kind_known
    check (kind in ('application', 'page', 'content', 'fraud_alert', 'payout_failed', 'payout_problem', 'connection')),
  constraint notification_choices_delivery_known check (delivery in ('at_once', 'daily', 'off'))
);

comment on table notification_choices is
  'How a member wants to be notified of a kind of event. Without a row, the default of the kind applies.';

create table notification_readers (
  program_id uuid not null,
  read_position bigint not null,
  digest_position bigint not null,
  digested_on date not null,
  constraint notification_readers_pkey primary key (program_id),
  constraint notification_readers_program_fkey foreign key (program_id) references programs (id)
);

comment on table notification_readers is
  'The positions in the event log up to which emails were written: those sent at once, and the daily ones. They move in the '
  'transaction that writes the emails, so no event is missed or announced twice. `digested_on` is a day in the program''s time zone.';

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known
  check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change',
    'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
    'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid', 'payout_request',
    'payout_failed', 'first_sale', 'statement', 'test', 'tax_form_submitted', 'access_request', 'payout_schedule', 'invoice',
    'group_changed', 'announcement', 'bounty_decision', 'rate_changed', 'notifications'));
