alter table api_keys add column replaced_by_id uuid;

alter table api_keys add constraint api_keys_replaced_by_fkey foreign key (replaced_by_id) references api_keys (id);

comment on column api_keys.replaced_by_id is
  'The key that replaced this one when it was rotated; until `expires_at`, both are accepted.';
