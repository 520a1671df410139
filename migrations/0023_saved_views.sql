-- How users like to see the console: saved filters, chosen columns, density.

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
