-- How payouts continue after a failover that lost nothing.

create table database_heartbeats (
  database_identity text not null,
  beat bigint not null,
  beaten_at timestamptz not null,
  constraint database_heartbeats_pkey primary key (database_identity)
);

comment on table database_heartbeats is
  'Counts up each second while every commit waits for a standby. A standby that has the last number that a process saw '
  'has every commit that was acknowledged.';

create table database_identities (
  database_identity text not null,
  continues text not null,
  accepted_at timestamptz not null,
  constraint database_identities_pkey primary key (database_identity)
);

comment on table database_identities is
  'A promoted standby that was proven to have every acknowledged commit, with the identity of the database that it '
  'continues.';
