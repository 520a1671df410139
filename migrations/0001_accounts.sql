-- Programs, their settings and API keys; users, how they prove their identity, and what they are members of.

create extension if not exists pg_trgm;

create table organizations (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  constraint organizations_pkey primary key (id)
);

comment on table organizations is
  'A company that runs programs: a brand with one, or an agency with many.';

create table programs (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  slug text not null,
  mode text not null,
  currency text not null,
  timezone text not null,
  website_url text,
  hold_days integer not null default 30,
  minimum_payout_cents bigint not null default 5000,
  commission_cap_percent numeric(7,4) default 100,
  flat_refunds text not null default 'pro_rata',
  attribution_model text not null default 'last_click',
  attribution_priority text not null default 'coupon_first',
  attribution_window_days integer not null default 30,
  hijack_guard_seconds integer not null default 0,
  remembers_customers boolean not null default true,
  destination_hosts text[] not null default '{}',
  click_settings jsonb not null default '{}',
  fraud_settings jsonb not null default '{}',
  hash_key bytea not null default sha256(convert_to(((gen_random_uuid())::text || (gen_random_uuid())::text), 'UTF8'::name)),
  payout_approval_cents bigint,
  tax_forms text not null default 'off',
  contact_email text,
  allows_postbacks boolean not null default true,
  deletion_requested_at timestamptz,
  delete_after timestamptz,
  recorded_values jsonb not null default '{}',
  image_hosts text[] not null default '{}',
  created_at timestamptz not null,
  constraint programs_pkey primary key (id),
  constraint programs_slug_unique unique (slug),
  constraint programs_organization_fkey foreign key (organization_id) references organizations (id),
  constraint programs_cap_range check (commission_cap_percent between 0 and 1000),
  constraint programs_currency_iso check (currency ~ '^[A-Z]{3}$'),
  constraint programs_deletion_whole check ((deletion_requested_at is null) = (delete_after is null)),
  constraint programs_flat_refunds_known check (flat_refunds in ('pro_rata', 'keep')),
  constraint programs_hijack_guard_range check (hijack_guard_seconds between 0 and 86400),
  constraint programs_hold_range check (hold_days between 0 and 3650),
  constraint programs_minimum_payout_range check (minimum_payout_cents between 0 and 99999999999),
  constraint programs_mode_known check (mode in ('live', 'test')),
  constraint programs_model_known check (attribution_model in ('last_click', 'first_click')),
  constraint programs_payout_approval_range check (payout_approval_cents between 0 and 99999999999),
  constraint programs_priority_known check (attribution_priority in ('coupon_first', 'click_first')),
  constraint programs_tax_forms_known check (tax_forms in ('off', 'required')),
  constraint programs_window_range check (attribution_window_days between 1 and 3650)
);

comment on table programs is
  'An affiliate program: the tenant that every other row belongs to.';

create index programs_deleting on programs (delete_after) where delete_after is not null;
create index programs_organization on programs (organization_id);

create table setting_changes (
  program_id uuid not null,
  id uuid not null,
  field text not null,
  value jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  effective_at timestamptz not null,
  constraint setting_changes_pkey primary key (program_id, id),
  constraint setting_changes_one_per_field unique (program_id, field),
  constraint setting_changes_program_fkey foreign key (program_id) references programs (id)
);

comment on table setting_changes is
  'A pending change that makes payouts less safe. It takes effect when a second person approves it or at '
  '`effective_at`, and is then deleted; the audit log keeps the history.';

create index setting_changes_effective on setting_changes (effective_at);

create table program_brands (
  program_id uuid not null,
  logo_url text,
  color text,
  disclosure text,
  disclaimer text,
  restricted_phrases text[] not null default '{}',
  sender_name text,
  reply_to text,
  postal_address text,
  email_locale text not null default 'en',
  updated_at timestamptz not null,
  constraint program_brands_pkey primary key (program_id),
  constraint program_brands_program_fkey foreign key (program_id) references programs (id),
  constraint program_brands_email_locale_known check (email_locale in ('en', 'de'))
);

comment on table program_brands is
  'What the public pages and emails of a program show of its brand. A program without a row has the defaults.';

comment on column program_brands.reply_to is
  'Where answers to emails to affiliates go.';

comment on column program_brands.postal_address is
  'Shown at the end of every email to affiliates.';

comment on column program_brands.email_locale is
  'The language of emails to affiliates without a user.';

create table deleted_programs (
  id uuid not null,
  name text not null,
  requested_at timestamptz not null,
  deleted_at timestamptz not null,
  ledger_seq bigint not null,
  ledger_hash bytea,
  deleted_rows jsonb not null,
  constraint deleted_programs_pkey primary key (id)
);

comment on table deleted_programs is
  'A program that was deleted: the end of its ledger, which proves that an exported copy is complete, and how '
  'many rows each table had. A reference table, because the program no longer exists.';

create table users (
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  locale text not null default 'en',
  status text not null default 'active',
  last_sign_in_at timestamptz,
  second_factor_changed_at timestamptz,
  created_at timestamptz not null,
  constraint users_pkey primary key (id),
  constraint users_email_unique unique (email_key),
  constraint users_locale_known check (locale in ('en', 'de')),
  constraint users_status_known check (status in ('active', 'disabled'))
);

comment on table users is
  'A person who can sign in, to any number of programs. `email_key` is the address as it is compared: two '
  'addresses with the same key belong to the same user.';

comment on column users.second_factor_changed_at is
  'When the first second factor was added, or one was removed, other than in a session of the command line. Money '
  'waits for 24 hours after it, unless another owner confirms the member.';

create table api_keys (
  id uuid not null,
  program_id uuid not null,
  key_hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  rate_limit_per_minute integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  networks text[] not null default '{}',
  user_id uuid,
  created_at timestamptz not null,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_program_fkey foreign key (program_id) references programs (id),
  constraint api_keys_user_fkey foreign key (user_id) references users (id),
  constraint api_keys_scopes_known check (scopes <@ array['read', 'write'] and cardinality(scopes) > 0)
);

comment on table api_keys is
  'An API key of a program. Only its SHA-256 is stored; prefix and last four identify it to people. A reference '
  'table, because keys are looked up by hash before the program is known.';

comment on column api_keys.networks is
  'The last networks from which the key was used, at most 200. The first use from each is recorded in the audit '
  'log.';

comment on column api_keys.user_id is
  'The member who created the key; null for a key of the command line, which belongs to no member.';

create index api_keys_program on api_keys (program_id, created_at);

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
  second_factor text,
  second_factor_at timestamptz,
  is_from_command boolean not null default false,
  created_at timestamptz not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_unique unique (token_hash),
  constraint sessions_user_fkey foreign key (user_id) references users (id),
  constraint sessions_method_known check (method in ('email', 'link', 'passkey')),
  constraint sessions_second_factor_known check (second_factor in ('passkey', 'authenticator', 'recovery_code')),
  constraint sessions_second_factor_whole check ((second_factor is null) = (second_factor_at is null))
);

comment on table sessions is
  'A signed-in browser. Only the SHA-256 of its cookie is stored. `fresh_at` is when the user last proved their '
  'identity; sensitive actions require it to be recent.';

comment on column sessions.second_factor is
  'The second factor that was used last in this session, at `second_factor_at`; null for control of the mailbox '
  'only.';

comment on column sessions.is_from_command is
  'Signed in with a link of the command line. Its operator is trusted, unlike those who can read a mailbox.';

create index sessions_expired on sessions (expires_at);
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
  network text,
  created_at timestamptz not null,
  constraint email_verifications_pkey primary key (id),
  constraint email_verifications_token_unique unique (token_hash),
  constraint email_verifications_user_fkey foreign key (user_id) references users (id),
  constraint email_verifications_attempts_counted check (failed_attempts between 0 and 10),
  constraint email_verifications_purpose_known
    check (purpose in ('sign_in', 'invitation', 'affiliate_invitation', 'command', 'confirm', 'application'))
);

comment on table email_verifications is
  'A link, and for signing in a six-digit code, sent to an email address. Valid once, for a short time; only '
  'hashes are stored. `browser_hash` identifies the browser that requested it, where the code can be entered.';

comment on column email_verifications.network is
  'The network that requested the email: an IPv4 /24 or IPv6 /48.';

create index email_verifications_browser on email_verifications (browser_hash) where browser_hash is not null;
create index email_verifications_email on email_verifications (email_key, created_at);
create index email_verifications_expired on email_verifications (expires_at);

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

create unique index passkey_challenges_challenge on passkey_challenges (challenge);
create index passkey_challenges_expired on passkey_challenges (expires_at);

create table second_factors (
  user_id uuid not null,
  secret bytea not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  failed_attempts integer not null default 0,
  blocked_until timestamptz,
  created_at timestamptz not null,
  constraint second_factors_pkey primary key (user_id),
  constraint second_factors_user_fkey foreign key (user_id) references users (id)
);

comment on table second_factors is
  'The authenticator app of a user: its encrypted secret, and the last time step that was accepted, so that a '
  'code works once. It is required at sign-in from `confirmed_at` on.';

comment on column second_factors.failed_attempts is
  'Wrong codes since the last correct one. From the tenth on, `blocked_until` delays the next attempt.';

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
  role_since timestamptz not null,
  role_given_by uuid,
  created_at timestamptz not null,
  constraint organization_members_pkey primary key (organization_id, user_id),
  constraint organization_members_given_by_fkey foreign key (role_given_by) references users (id),
  constraint organization_members_organization_fkey foreign key (organization_id) references organizations (id),
  constraint organization_members_user_fkey foreign key (user_id) references users (id),
  constraint organization_members_role_known
    check (role in ('owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer'))
);

comment on table organization_members is
  'A role of a user in all programs of an organization.';

comment on column organization_members.role_since is
  'When the member got this role. Counts for the second person of an approval.';

comment on column organization_members.role_given_by is
  'The user who gave the member this role, who can''t confirm them; null for roles of the command line.';

create index organization_members_user on organization_members (user_id);

create table program_members (
  program_id uuid not null,
  user_id uuid not null,
  role text not null,
  role_since timestamptz not null,
  role_given_by uuid,
  created_at timestamptz not null,
  constraint program_members_pkey primary key (program_id, user_id),
  constraint program_members_given_by_fkey foreign key (role_given_by) references users (id),
  constraint program_members_program_fkey foreign key (program_id) references programs (id),
  constraint program_members_user_fkey foreign key (user_id) references users (id),
  constraint program_members_role_known
    check (role in ('owner', 'admin', 'reviewer', 'finance', 'developer', 'viewer'))
);

comment on table program_members is
  'A role of a user in one program. A role in the organization applies too; the stronger one counts.';

comment on column program_members.role_since is
  'When the member got this role. Counts for the second person of an approval.';

comment on column program_members.role_given_by is
  'The member who invited this one or changed their role, who can''t also confirm them; null for the command line.';

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

create index member_invitations_email on member_invitations (email_key);
create unique index member_invitations_open on member_invitations (program_id, email_key)
  where accepted_at is null and revoked_at is null;

create table member_confirmations (
  program_id uuid not null,
  user_id uuid not null,
  confirmed_by uuid not null,
  confirmed_at timestamptz not null,
  constraint member_confirmations_pkey primary key (program_id, user_id),
  constraint member_confirmations_by_fkey foreign key (confirmed_by) references users (id),
  constraint member_confirmations_program_fkey foreign key (program_id) references programs (id),
  constraint member_confirmations_user_fkey foreign key (user_id) references users (id)
);

comment on table member_confirmations is
  'The last time that another owner confirmed a member of a program: their role, and how they sign in. It ends '
  'the waiting times of what changed before.';

create table email_request_counts (
  requester text not null,
  requests integer not null,
  ends_at timestamptz not null,
  constraint email_request_counts_pkey primary key (requester),
  constraint email_request_counts_counted check (requests > 0)
);

comment on table email_request_counts is
  'How many emails a browser requested for an address within an hour, for signing in and for join forms. '
  '`requester` is a keyed hash of its network, its cookie and the address. Past hours are deleted.';

create index email_request_counts_ended on email_request_counts (ends_at);

create table saved_views (
  program_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  screen text not null,
  name text not null,
  is_shared boolean not null,
  state jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint saved_views_pkey primary key (program_id, id),
  constraint saved_views_program_fkey foreign key (program_id) references programs (id),
  constraint saved_views_user_fkey foreign key (user_id) references users (id)
);

comment on table saved_views is
  'Filters, sort and columns of a list that a user saved under a name. A shared view is shown to all members.';

create index saved_views_by_screen on saved_views (program_id, screen, created_at, id);
create index saved_views_by_user on saved_views (user_id);

create table user_preferences (
  user_id uuid not null,
  screen text not null,
  preferences jsonb not null,
  updated_at timestamptz not null,
  constraint user_preferences_pkey primary key (user_id, screen),
  constraint user_preferences_user_fkey foreign key (user_id) references users (id)
);

comment on table user_preferences is
  'What a user chose on a screen of the console, such as columns and density. A reference table.';
