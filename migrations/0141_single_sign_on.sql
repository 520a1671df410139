-- Single sign-on of an organization with OpenID Connect. Reference tables: they are read before a program is known.

create table single_sign_on_connections (
  organization_id uuid not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  default_role text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint single_sign_on_connections_pkey primary key (organization_id),
  constraint single_sign_on_connections_organization_fkey foreign key (organization_id) references organizations (id),
  constraint single_sign_on_connections_role_known
    check (default_role in ('admin', 'reviewer', 'finance', 'developer', 'viewer'))
);

comment on table single_sign_on_connections is
  'The OpenID Connect provider of an organization. `client_secret` is encrypted; `default_role` is the role in the '
  'organization that a user without a role gets at their first sign-in.';

create table single_sign_on_domains (
  organization_id uuid not null,
  domain text not null,
  verified_at timestamptz,
  is_required boolean not null default false,
  created_at timestamptz not null,
  constraint single_sign_on_domains_pkey primary key (organization_id, domain),
  constraint single_sign_on_domains_organization_fkey foreign key (organization_id) references organizations (id),
  constraint single_sign_on_domains_required_verified check (not is_required or verified_at is not null)
);

comment on table single_sign_on_domains is
  'A domain of email addresses, in punycode and lower case, whose users sign in through the organization''s provider once a '
  'DNS record has proven that it belongs to the organization.';

comment on column single_sign_on_domains.is_required is
  'Whether members with an address of the domain, other than owners, can only sign in through the provider.';

create unique index single_sign_on_domains_verified on single_sign_on_domains (domain) where verified_at is not null;

create table single_sign_on_identities (
  organization_id uuid not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint single_sign_on_identities_pkey primary key (organization_id, issuer, subject),
  constraint single_sign_on_identities_user_unique unique (organization_id, issuer, user_id),
  constraint single_sign_on_identities_organization_fkey foreign key (organization_id) references organizations (id),
  constraint single_sign_on_identities_user_fkey foreign key (user_id) references users (id)
);

comment on table single_sign_on_identities is
  'The account at an organization''s provider that a user signs in with: issuer and subject, which the provider never '
  'gives to another person, unlike email addresses.';

create index single_sign_on_identities_user on single_sign_on_identities (user_id);

create table single_sign_on_attempts (
  token_hash bytea not null,
  organization_id uuid not null,
  user_id uuid,
  next text,
  expires_at timestamptz not null,
  constraint single_sign_on_attempts_pkey primary key (token_hash),
  constraint single_sign_on_attempts_organization_fkey foreign key (organization_id) references organizations (id),
  constraint single_sign_on_attempts_user_fkey foreign key (user_id) references users (id)
);

comment on table single_sign_on_attempts is
  'A sign-in that a browser started and the provider has not answered. Only the SHA-256 of the browser''s cookie is stored; '
  'state, nonce and PKCE verifier are derived from the cookie. Deleted when it is used or has expired.';

comment on column single_sign_on_attempts.user_id is
  'Who the provider said signs in, while the code of their authenticator app is awaited.';

create index single_sign_on_attempts_expired on single_sign_on_attempts (expires_at);

alter table sessions drop constraint sessions_method_known;

alter table sessions add constraint sessions_method_known check (method in ('email', 'link', 'passkey', 'single_sign_on'));
