-- A sensitive action needs a second factor that was used in the session, and counts for money only once the other owners
-- could notice it. The second person of an approval is a member for longer than 72 hours, or confirmed by another owner.

alter table sessions add column second_factor text;
alter table sessions add column second_factor_at timestamptz;
alter table sessions add constraint sessions_second_factor_known
  check (second_factor in ('passkey', 'authenticator', 'recovery_code'));
alter table sessions add constraint sessions_second_factor_whole
  check ((second_factor is null) = (second_factor_at is null));

alter table sessions add column is_from_command boolean not null default false;

comment on column sessions.is_from_command is
  'Signed in with a link of the command line. Its operator is trusted, unlike those who can read a mailbox.';

-- Until now, a passkey or the authenticator app was always used at the sign-in itself.
update sessions set second_factor = 'passkey', second_factor_at = created_at where method = 'passkey';
update sessions set second_factor = 'authenticator', second_factor_at = created_at
where second_factor is null and exists (
  select from second_factors as factor where factor.user_id = sessions.user_id and factor.confirmed_at <= sessions.created_at
);

comment on column sessions.second_factor is
  'The second factor that was used last in this session, at `second_factor_at`; null for control of the mailbox only.';

alter table users add column second_factor_changed_at timestamptz;

comment on column users.second_factor_changed_at is
  'When the first second factor was added, or one was removed, other than in a session of the command line. Money waits '
  'for 24 hours after it, unless another owner confirms the member.';

alter table program_members add column role_since timestamptz;
alter table program_members add column role_given_by uuid;
update program_members set role_since = created_at;
alter table program_members alter column role_since set not null;
alter table program_members add constraint program_members_given_by_fkey foreign key (role_given_by) references users (id);

comment on column program_members.role_since is
  'When the member got this role. Counts for the second person of an approval.';
comment on column program_members.role_given_by is
  'The member who invited this one or changed their role, who can''t also confirm them; null for the command line.';

alter table organization_members add column role_since timestamptz;
update organization_members set role_since = created_at;
alter table organization_members alter column role_since set not null;

comment on column organization_members.role_since is
  'When the member got this role. Counts for the second person of an approval.';

create table member_confirmations (
  program_id uuid not null,
  user_id uuid not null,
  confirmed_by uuid not null,
  confirmed_at timestamptz not null,
  constraint member_confirmations_pkey primary key (program_id, user_id),
  constraint member_confirmations_program_fkey foreign key (program_id) references programs (id),
  constraint member_confirmations_user_fkey foreign key (user_id) references users (id),
  constraint member_confirmations_by_fkey foreign key (confirmed_by) references users (id)
);

comment on table member_confirmations is
  'The last time that another owner confirmed a member of a program: their role, and how they sign in. It ends the waiting '
  'times of what changed before.';

alter table emails drop constraint emails_kind_known;
alter table emails add constraint emails_kind_known check (kind in (
  'invitation', 'approval', 'decision', 'payout_details_changed', 'setting_change', 'sign_in', 'member_invitation',
  'page_review', 'application_received', 'webhook_disabled', 'alert', 'postback_disabled', 'program_deletion',
  'second_factor_changed'));
