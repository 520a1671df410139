-- Where a cluster stores programs, so that payouts are locked after a node was restored.

create table shard_nodes (
  shard_id bigint not null,
  node_id integer not null,
  node_identity text not null,
  restores integer not null default 0,
  constraint shard_nodes_pkey primary key (shard_id)
);

comment on table shard_nodes is
  'Of each shard of a cluster, the node that stored it last and how to recognize that node. `restores` counts how often '
  'its node was replaced by an earlier state, instead of the shard being moved. Empty on one PostgreSQL.';
