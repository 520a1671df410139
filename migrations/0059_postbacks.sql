-- Postbacks: addresses that affiliates register for their own events. They are sent by the engine of webhooks.

alter table webhooks
  add column affiliate_id uuid,
  add column method text not null default 'POST',
  add constraint webhooks_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  add constraint webhooks_method_known check (method in ('GET', 'POST')),
  add constraint webhooks_method_of_webhook check (affiliate_id is not null or method = 'POST'),
  add constraint webhooks_postback_unsigned check (affiliate_id is null or secrets is null),
  drop constraint webhooks_disabled_reason_known,
  add constraint webhooks_disabled_reason_known check (disabled_reason in ('gone', 'failing', 'program')),
  add constraint webhooks_blocked_by_program check (disabled_reason <> 'program' or affiliate_id is not null);

comment on table webhooks is
  'An address to which events are pushed. `secrets` are encrypted. (read_position, read_event_id) is the last '
  'event that was considered; those after it follow. A deleted webhook stays without its address and secrets until its '
  'deliveries are deleted. With an affiliate_id, it is a postback: registered by that affiliate, for their own events, '
  'with macros in its url; it starts after its position, and `postback_readers` reads for all of a program.';

create index webhooks_postbacks on webhooks (program_id, affiliate_id) where affiliate_id is not null;

create table postback_readers (
  program_id uuid not null,
  read_position bigint not null,
  read_event_id uuid not null,
  constraint postback_readers_pkey primary key (program_id),
  constraint postback_readers_program_fkey foreign key (program_id) references programs (id)
);

comment on table postback_readers is
  'Where the postbacks of a program are in its event log: one position for all of them, so that an event costs the same '
  'however many affiliates have postbacks.';

alter table programs add column allows_postbacks boolean not null default true;

alter table emails
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in (
    'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation',
    'page_review', 'application_received', 'webhook_disabled', 'alert', 'postback_disabled'));
