-- People: users, how they prove their identity, their sessions, and the programs they are members of.

create table users (
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  locale text not null default 'en',
  status text not null default 'active',
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  constraint users_pkey primary key (id),
  constraint users_email_unique unique (email_key),
  constraint users_locale_known check (locale in ('en', 'de')),
  constraint users_status_known check (status in ('active', 'disabled'))
);

comment on table users is
  'A person who can sign in, to any number of programs. `email_key` is the address as it is compared: two addresses '
  'with the same key belong to the same user.';

create table sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  method text not null,
  user_agent text not null,
  ip_prefix text not null,
  fresh_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_unique unique (token_hash),
  constraint sessions_user_fkey foreign key (user_id) references users (id),
  constraint sessions_method_known check (method in ('email', 'link', 'passkey'))
);

comment on table sessions is
  'A signed-in browser. Only the SHA-256 of its cookie is stored. `fresh_at` is when the user last proved their '
  'identity; sensitive actions require it to be recent.';

create index sessions_user on sessions (user_id, created_at);

create table email_verifications (
  id uuid not null,
  purpose text not null,
  email text not null,
  email_key text not null,
  user_id uuid,
  token_hash bytea not null,
  code_hash bytea,
  browser_hash bytea,
  failed_attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  constraint email_verifications_pkey primary key (id),
  constraint email_verifications_token_unique unique (token_hash),
  constraint email_verifications_user_fkey foreign key (user_id) references users (id),
  constraint email_verifications_purpose_known check (purpose in ('sign_in', 'invitation', 'command')),
  constraint email_verifications_attempts_counted check (failed_attempts between 0 and 10)
);

comment on table email_verifications is
  'A link, and for signing in a six-digit code, sent to an email address. Valid once, for a short time; only hashes '
  'are stored. `browser_hash` identifies the browser that requested it, where the code can be entered.';

create index email_verifications_email on email_verifications (email_key, created_at);

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  last_used_at timestamptz,
  created_at timestamptz not null,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_unique unique (credential_id),
  constraint passkeys_user_fkey foreign key (user_id) references users (id)
);

comment on table passkeys is
  'A passkey of a user: the public key that verifies its signatures.';

create index passkeys_user on passkeys (user_id, created_at);

create table passkey_challenges (
  id uuid not null,
  user_id uuid,
  purpose text not null,
  challenge text not null,
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (id),
  constraint passkey_challenges_user_fkey foreign key (user_id) references users (id),
  constraint passkey_challenges_purpose_known check (purpose in ('register', 'sign_in', 'confirm'))
);

comment on table passkey_challenges is
  'A random value that a passkey must sign, valid once. Deleted when it is used or has expired.';

create table second_factors (
  user_id uuid not null,
  secret bytea not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  constraint second_factors_pkey primary key (user_id),
  constraint second_factors_user_fkey foreign key (user_id) references users (id)
);

comment on table second_factors is
  'The authenticator app of a user: its encrypted secret, and the last time step that was accepted, so that a code '
  'works once. It is required at sign-in from `confirmed_at` on.';

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, code_hash),
  constraint recovery_codes_user_fkey foreign key (user_id) references users (id)
);

comment on table recovery_codes is
  'Codes that replace the authenticator app, each of them once.';

create table organization_members (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamptz not null,
  constraint organization_members_pkey primary key (organization_id, user_id),
  constraint organization_members_organization_fkey foreign key (organization_id) references organizations (id),
  constraint organization_members_user_fkey foreign key (user_id) references users (id),
  constraint organization_members_role_known
    check (role in ('owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer'))
);

comment on table organization_members is
  'A role of a user in all programs of an organization.';

create index organization_members_user on organization_members (user_id);

create table program_members (
  program_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamptz not null,
  constraint program_members_pkey primary key (program_id, user_id),
  constraint program_members_program_fkey foreign key (program_id) references programs (id),
  constraint program_members_user_fkey foreign key (user_id) references users (id),
  constraint program_members_role_known
    check (role in ('owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer'))
);

comment on table program_members is
  'A role of a user in one program. A role in the organization applies too; the stronger one counts.';

create index program_members_user on program_members (user_id);

create table member_invitations (
  program_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  role text not null,
  invited_by uuid,
  accepted_at timestamptz,
  revoked_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint member_invitations_pkey primary key (program_id, id),
  constraint member_invitations_program_fkey foreign key (program_id) references programs (id),
  constraint member_invitations_user_fkey foreign key (invited_by) references users (id),
  constraint member_invitations_role_known
    check (role in ('owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer'))
);

comment on table member_invitations is
  'An invitation to become a member of a program. Accepted by signing in with the invited email address.';

create unique index member_invitations_open on member_invitations (program_id, email_key)
  where accepted_at is null and revoked_at is null;
create index member_invitations_email on member_invitations (email_key);
