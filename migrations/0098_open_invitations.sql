-- Counts the invitations that have not been accepted, which are not decisions to make, without reading other affiliates.
create index affiliates_open_invitations on affiliates (program_id, id) where status = 'pending' and invited_at is not null;
