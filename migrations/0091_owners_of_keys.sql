-- An API key belongs to the member who created it: what it requests, the member can't approve.

alter table api_keys add column user_id uuid;
alter table api_keys add constraint api_keys_user_fkey foreign key (user_id) references users (id);

comment on column api_keys.user_id is
  'The member who created the key; null for a key of the command line, which belongs to no member.';

comment on table setting_changes is
  'A pending change that makes payouts less safe. It takes effect when a second person approves it or at '
  '`effective_at`, and is then deleted; the audit log keeps the history.';

-- Where a program has one owner, 72 hours replace the second person.
alter table payout_batches drop constraint payout_batches_two_actors;
alter table payout_batches add constraint payout_batches_two_actors
  check (approved_by_id <> dispatched_by_id or approved_at - created_at >= interval '72 hours');
