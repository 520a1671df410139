-- Emails, events, webhooks and alerts.

create table emails (
  program_id uuid not null,
  id uuid not null,
  audit_id uuid not null,
  affiliate_id uuid,
  kind text not null,
  to_address text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  status text not null,
  last_error text,
  sent_at timestamptz,
  sending_at timestamptz,
  not_before timestamptz,
  unconfirmed integer not null default 0,
  created_at timestamptz not null,
  constraint emails_pkey primary key (program_id, id),
  constraint emails_once_per_change unique (program_id, audit_id, kind, to_address),
  constraint emails_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint emails_audit_fkey foreign key (program_id, audit_id) references audit_log (program_id, id),
  constraint emails_kind_known
    check (kind in ('invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in',
      'member_invitation', 'page_review', 'application_received', 'application_confirmation', 'webhook_disabled',
      'alert', 'postback_disabled', 'program_deletion', 'second_factor_changed', 'payout_paid')),
  constraint emails_status_known
    check (status in ('queued', 'sent', 'stored', 'failed', 'unconfirmed', 'cancelled', 'suppressed')),
  constraint emails_unconfirmed_counted check (unconfirmed >= 0)
);

comment on table emails is
  'An outgoing email. `audit_id` is the change that caused it: one change sends an affiliate one email of a kind. '
  'Status queued: waiting for a job; sent: accepted by the mail server; stored: no mail server is configured; '
  'failed: rejected at every attempt; unconfirmed: sent twice without a response, so it may have arrived; '
  'cancelled: the change was undone before the email was sent.';

comment on column emails.sending_at is
  'When the current attempt was started, while it has no outcome. Committed before the message is sent.';

comment on column emails.not_before is
  'No attempt is made before this time: after an attempt without an outcome, or while the change can be undone.';

comment on column emails.unconfirmed is
  'How many attempts ended without a response. The email may have arrived each time.';

create index emails_by_affiliate on emails (program_id, affiliate_id);
-- Read by every reading of the metrics.
create index emails_failing on emails (program_id, created_at)
  where last_error is not null and status in ('queued', 'failed', 'unconfirmed');
create index emails_newest on emails (program_id, created_at desc, id desc);
create index emails_not_sent on emails (status, created_at) where status in ('queued', 'failed', 'unconfirmed');
-- Retention: what is erased is found by its age, without reading what stays.
create index emails_with_body on emails (created_at) where html_body <> '';

create table email_recipients (
  program_id uuid not null,
  email_key text not null,
  opted_out_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text,
  opted_out_kinds text[] not null default '{}',
  updated_at timestamptz not null,
  constraint email_recipients_pkey primary key (program_id, email_key),
  constraint email_recipients_program_fkey foreign key (program_id) references programs (id),
  constraint email_recipients_kinds_known check (opted_out_kinds <@ '{invitation,page_review,payout_paid}'),
  constraint email_recipients_opt_out_dated check ((opted_out_at is null) = (cardinality(opted_out_kinds) = 0))
);

comment on table email_recipients is
  'An address that opted out of the optional emails of a program, or that a mail server rejected permanently. '
  'Neither gets optional emails; emails about the account and its security are always sent.';

comment on column email_recipients.opted_out_kinds is
  'The kinds of optional emails that the address does not get. `opted_out_at` is when the first of them was '
  'chosen.';

create table event_log (
  is_only_row boolean not null default true,
  position_base bigint not null,
  constraint event_log_pkey primary key (is_only_row),
  constraint event_log_only_row check (is_only_row)
);

comment on table event_log is
  'One row: the number that is added to the id of a transaction to get the position of its events. It grows when '
  'the database is restored into a cluster whose transaction ids are lower, so that positions never repeat.';

insert into event_log (position_base) values (0);

create table events (
  program_id uuid not null,
  id uuid not null,
  position bigint not null,
  type text not null,
  object_type text not null,
  object_id uuid not null,
  object_sequence bigint not null,
  affiliate_id uuid,
  data jsonb not null,
  previous jsonb,
  actor_kind text not null,
  actor_id text not null,
  recorded_values jsonb not null default '{}',
  created_at timestamptz not null,
  constraint events_pkey primary key (program_id, id),
  constraint events_sequence_unique unique (program_id, object_type, object_id, object_sequence),
  constraint events_program_fkey foreign key (program_id) references programs (id),
  constraint events_sequence_positive check (object_sequence > 0)
);

comment on table events is
  'A change that is announced to integrations, written in the transaction of the change by messaging/events. The '
  'log is read in the order of (position, id). A position is the id of a transaction, and readers stop at the '
  'oldest transaction that is still running, so that events that commit late are never behind a reader. '
  'object_sequence numbers the events of one object without gaps; 1 is its creation. affiliate_id is the '
  'affiliate that the event is about.';

create index events_by_age on events using brin (created_at);
create unique index events_in_order on events (program_id, "position", id);

create table event_sequences (
  program_id uuid not null,
  object_type text not null,
  object_id uuid not null,
  last_sequence bigint not null,
  constraint event_sequences_pkey primary key (program_id, object_type, object_id),
  constraint event_sequences_program_fkey foreign key (program_id) references programs (id)
) with (fillfactor = 80);

comment on table event_sequences is
  'The number of the last event of an object. Locking this row orders simultaneous events of the object. Objects '
  'whose only event is their creation have no row, so that recording an order needs none.';

create table webhooks (
  program_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  group_ids uuid[] not null default '{}',
  status text not null,
  disabled_reason text,
  secrets bytea,
  previous_secret_until timestamptz,
  read_position bigint not null,
  read_event_id uuid not null,
  failing_since timestamptz,
  failures integer not null default 0,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  deleted_at timestamptz,
  affiliate_id uuid,
  method text not null default 'POST',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhooks_pkey primary key (program_id, id),
  constraint webhooks_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint webhooks_program_fkey foreign key (program_id) references programs (id),
  constraint webhooks_blocked_by_program check (disabled_reason <> 'program' or affiliate_id is not null),
  constraint webhooks_disabled_reason_known check (disabled_reason in ('gone', 'failing', 'program')),
  constraint webhooks_method_known check (method in ('GET', 'POST')),
  constraint webhooks_method_of_webhook check (affiliate_id is not null or method = 'POST'),
  constraint webhooks_postback_unsigned check (affiliate_id is null or secrets is null),
  constraint webhooks_status_known check (status in ('active', 'paused', 'disabled'))
);

comment on table webhooks is
  'An address to which events are pushed. `secrets` are encrypted. (read_position, read_event_id) is the last '
  'event that was considered; those after it follow. A deleted webhook stays without its address and secrets '
  'until its deliveries are deleted. With an affiliate_id, it is a postback: registered by that affiliate, for '
  'their own events, with macros in its url; it starts after its position, and `postback_readers` reads for all '
  'of a program.';

create index webhooks_active on webhooks (program_id, id) where status = 'active';
create index webhooks_newest on webhooks (program_id, created_at desc, id desc);
create index webhooks_postbacks on webhooks (program_id, affiliate_id) where affiliate_id is not null;

create table webhook_deliveries (
  program_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null,
  attempts integer not null default 0,
  tries integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  claimed_by integer,
  response_status integer,
  last_error text,
  last_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_deliveries_pkey primary key (program_id, id),
  constraint webhook_deliveries_once unique (program_id, webhook_id, event_id),
  constraint webhook_deliveries_webhook_fkey foreign key (program_id, webhook_id) references webhooks (program_id, id),
  constraint webhook_deliveries_status_known check (status in ('pending', 'sending', 'delivered', 'failed'))
) with (fillfactor = 70);

comment on table webhook_deliveries is
  'One event for one webhook. `attempts` numbers all attempts; `tries` those since the delivery was last '
  'requested, which decide the pause before the next one.';

create index webhook_deliveries_by_age on webhook_deliveries (created_at);
create index webhook_deliveries_claimed on webhook_deliveries (lease_until) where status = 'sending';
create index webhook_deliveries_due on webhook_deliveries (program_id, webhook_id, next_attempt_at, id)
  where status = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (program_id, webhook_id, created_at desc, id desc);

create table webhook_attempts (
  program_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  outcome text not null,
  url text not null,
  signature text,
  duration_ms integer not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null,
  constraint webhook_attempts_pkey primary key (program_id, delivery_id, number),
  constraint webhook_attempts_delivery_fkey foreign key (program_id, delivery_id)
    references webhook_deliveries (program_id, id) on delete cascade,
  constraint webhook_attempts_outcome_known
    check (outcome in ('succeeded', 'rejected', 'timeout', 'unreachable', 'no_response', 'blocked', 'interrupted'))
);

comment on table webhook_attempts is
  'One request of a delivery with its response. `blocked`: the address was not public, and no socket was opened. '
  '`interrupted`: the process ended before the outcome was recorded.';

create table postback_readers (
  program_id uuid not null,
  read_position bigint not null,
  read_event_id uuid not null,
  constraint postback_readers_pkey primary key (program_id),
  constraint postback_readers_program_fkey foreign key (program_id) references programs (id)
);

comment on table postback_readers is
  'Where the postbacks of a program are in its event log: one position for all of them, so that an event costs '
  'the same however many affiliates have postbacks.';

create table alerts (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  subject text not null default '',
  name text,
  reason text not null,
  status text not null,
  resolved_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint alerts_pkey primary key (program_id, id),
  constraint alerts_program_fkey foreign key (program_id) references programs (id),
  constraint alerts_kind_known
    check (kind in ('payouts_locked', 'payouts_unknown', 'payouts_duplicate', 'invariant_broken', 'provider_failing',
      'emails_failing', 'proxy_untrusted')),
  constraint alerts_resolved_whole check ((status = 'resolved') = (resolved_at is not null)),
  constraint alerts_status_known check (status in ('open', 'resolved'))
);

comment on table alerts is
  'Something that stopped working. `subject` distinguishes the alerts of a kind: the id of a provider, the name '
  'of an invariant, or empty. Of each, one is open at a time: the unique index decides which process opens it, '
  'and announces it.';

create index alerts_by_kind on alerts (kind, created_at desc);
create index alerts_newest on alerts (program_id, created_at desc, id desc);
create unique index alerts_open on alerts (program_id, kind, subject) where status = 'open';
