-- Portals and widgets that open inside the application of a brand.

alter table programs add column embed_origins text[] not null default '{}';

create table embeds (
  program_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  api_key_id uuid not null,
  kind text not null,
  origin text not null,
  locale text,
  theme jsonb not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  session_hash bytea,
  session_expires_at timestamptz,
  constraint embeds_pkey primary key (program_id, id),
  constraint embeds_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint embeds_api_key_fkey foreign key (program_id, api_key_id) references api_keys (program_id, id),
  constraint embeds_kind_known check (kind in ('portal', 'widget')),
  constraint embeds_locale_known check (locale in ('en', 'de')),
  constraint embeds_session_complete check ((session_hash is null) = (session_expires_at is null)),
  constraint embeds_session_after_opening check (session_hash is null or (kind = 'portal' and opened_at is not null)),
  constraint embeds_token_unique unique (program_id, token_hash),
  constraint embeds_session_unique unique (program_id, session_hash)
);

create index embeds_by_affiliate on embeds (program_id, affiliate_id);
create index embeds_by_age on embeds (program_id, created_at);

comment on table embeds is
  'Tokens that open the portal or the widget of one affiliate in a page of the brand. A token is valid once and for minutes; '
  'a portal then has a session, which can only read. Only SHA-256 hashes are stored. A row is valid while the '
  'affiliate is active, the API key is not revoked and the origin is allowed. Deleted after a week.';
