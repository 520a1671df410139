-- Indexes with which the overview finds what is open, without reading what is closed.

create index claims_open on claims (program_id, created_at) where status = 'open';
create index commissions_held on commissions (program_id, affiliate_id) where status = 'held';
create index payouts_settled on payouts (program_id, settled_at, id) include (amount_cents, affiliate_id) where status = 'paid';
create index providers_failing on providers (program_id) where status = 'needs_attention';
