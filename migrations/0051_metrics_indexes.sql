-- What a monitoring system counts at every reading must not need a scan of all rows.

create index emails_not_sent on emails (status, created_at) where status in ('queued', 'failed', 'unconfirmed');
create index payout_safety_locked on payout_safety (program_id) where locked_at is not null;
create index providers_needing_attention on providers (program_id, id) where status = 'needs_attention';
