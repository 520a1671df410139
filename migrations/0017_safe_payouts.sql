-- What keeps payouts safe: which clock was accepted.

alter table payout_safety add column clock_accepted_at timestamptz;
update payout_safety set clock_accepted_at = seen_at;
alter table payout_safety alter column clock_accepted_at set not null;

comment on column payout_safety.clock_accepted_at is
  'When the program was created or last unlocked. Changes of a server''s clock before this time are accepted.';

-- Loosening a safety setting waits for a second API key.

alter table programs add column contact_email text;

create table setting_changes (
  program_id uuid not null,
  id uuid not null,
  field text not null,
  value jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  effective_at timestamptz not null,
  constraint setting_changes_pkey primary key (program_id, id),
  constraint setting_changes_program_fkey foreign key (program_id) references programs (id),
  constraint setting_changes_one_per_field unique (program_id, field)
);

comment on table setting_changes is
  'A requested change of a program''s settings that would loosen the safety of its payouts. It takes effect when a '
  'second API key approves it, or at `effective_at`; the row is then deleted. The audit log keeps what happened.';

-- The schedule looks for changes of all programs that have become effective.
create index setting_changes_effective on setting_changes (effective_at);

-- Emails to the program's own contact address belong to no affiliate.
alter table emails
  alter column affiliate_id drop not null,
  drop constraint emails_kind_known,
  add constraint emails_kind_known check (kind in ('invitation', 'approval', 'payout_details_changed', 'setting_change'));

-- Which process calls the provider for a payout.

alter table payout_items add column claimed_by integer;

comment on column payout_items.claimed_by is
  'While `status` is sending: the process that calls the provider, by the number of the advisory lock it holds as long as '
  'it lives (db/presence.ts). Null where only `lease_until` limits the claim.';
