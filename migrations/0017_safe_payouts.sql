-- What keeps payouts safe: which clock was accepted.

alter table payout_safety add column clock_accepted_at timestamptz;
update payout_safety set clock_accepted_at = seen_at;
alter table payout_safety alter column clock_accepted_at set not null;

comment on column payout_safety.clock_accepted_at is
  'When the program was created or last unlocked. Changes of a server''s clock before this time are accepted.';
