-- The users that affiliates sign in with, and the links that invitations of affiliates contain.

create table affiliate_accounts (
  program_id uuid not null,
  affiliate_id uuid not null,
  user_id uuid not null,
  claimed_at timestamptz not null,
  constraint affiliate_accounts_pkey primary key (program_id, affiliate_id),
  constraint affiliate_accounts_user_unique unique (program_id, user_id),
  constraint affiliate_accounts_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint affiliate_accounts_user_fkey foreign key (user_id) references users (id)
);

comment on table affiliate_accounts is
  'The user who claimed an affiliate by verifying the email address that was invited (Contract §4.2). An affiliate has at '
  'most one user, and a user is at most one affiliate of a program.';

create index affiliate_accounts_user on affiliate_accounts (user_id);
create index affiliates_by_email on affiliates (email_key);

alter table email_verifications drop constraint email_verifications_purpose_known;
alter table email_verifications add constraint email_verifications_purpose_known
  check (purpose in ('sign_in', 'invitation', 'affiliate_invitation', 'command', 'confirm'));
