-- The first user of an installation, who can be created with the set-up link that the server prints.

create table first_user (
  is_only boolean not null default true,
  user_id uuid not null,
  created_at timestamptz not null,
  constraint first_user_pkey primary key (is_only),
  constraint first_user_is_only check (is_only),
  constraint first_user_user_fkey foreign key (user_id) references users (id)
);

comment on table first_user is
  'At most one row: which user was the first. Its primary key decides between people who set up an installation at '
  'the same time, and ends the set-up link once there is a user.';

insert into first_user (is_only, user_id, created_at)
select true, id, created_at from users order by created_at, id limit 1;
