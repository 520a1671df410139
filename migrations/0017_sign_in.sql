-- Signing in: proving an identity again by email, passkeys that are found by their challenge, limits for authenticator
-- codes.

alter table email_verifications
  drop constraint email_verifications_purpose_known,
  add constraint email_verifications_purpose_known
    check (purpose in ('sign_in', 'invitation', 'command', 'confirm'));

create index email_verifications_browser on email_verifications (browser_hash)
  where browser_hash is not null;
create index email_verifications_expired on email_verifications (expires_at);

create unique index passkey_challenges_challenge on passkey_challenges (challenge);
create index passkey_challenges_expired on passkey_challenges (expires_at);

alter table second_factors
  add column failed_attempts integer not null default 0,
  add column blocked_until timestamptz;

comment on column second_factors.failed_attempts is
  'Wrong codes since the last correct one. From the tenth on, `blocked_until` delays the next attempt.';
