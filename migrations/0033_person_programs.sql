-- The programs of an address or a user are looked up in a register, so that signing in doesn't ask all programs.

create table person_programs (
  kind text not null,
  person text not null,
  program_id uuid not null,
  constraint person_programs_pkey primary key (kind, person, program_id),
  constraint person_programs_program_fkey foreign key (program_id) references programs (id),
  constraint person_programs_kind_known check (kind in ('affiliate', 'invited', 'member', 'account'))
);

comment on table person_programs is
  'The programs of a person, who is looked up before the program is known: those with an affiliate of an address, or an '
  'invitation to it, as a member, and those with a member or an account of an affiliate of a user. A row is written with '
  'what it points to and deleted with it. A reference table.';

comment on column person_programs.person is
  'For `affiliate` and `invited` the email_key, for `member` and `account` the id of the user.';

insert into person_programs (kind, person, program_id)
select 'affiliate', email_key, program_id from affiliates
union
select 'invited', email_key, program_id from member_invitations
union
select 'member', user_id::text, program_id from program_members
union
select 'account', user_id::text, program_id from affiliate_accounts;

drop index affiliates_by_email;

drop index member_invitations_email;

drop index program_members_user;

drop index affiliate_accounts_user;
