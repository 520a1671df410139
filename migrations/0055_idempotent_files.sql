-- A stored response can be a file: a repeated request returns it with the same media type and name.

alter table idempotency_keys add column media_type text;
alter table idempotency_keys add column file_name text;

comment on column idempotency_keys.media_type is 'Of a response that is a file; null for JSON.';
