-- When a store last returned a product. A sync that changes nothing leaves updated_at as it is.
alter table products add column last_synced_at timestamptz;
