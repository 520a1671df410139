-- Roles in an organization can be changed in the console: who gave a role can't confirm its member as a second person.
alter table organization_members add column role_given_by uuid;
alter table organization_members
  add constraint organization_members_given_by_fkey foreign key (role_given_by) references users (id);

comment on column organization_members.role_given_by is
  'The user who gave the member this role, who can''t confirm them; null for roles of the command line.';
