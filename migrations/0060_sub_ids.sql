-- The sub IDs of the credited click stay with its order, also after the click was deleted.

alter table conversions add column sub_ids text[] not null default '{}';

comment on column conversions.sub_ids is
  'The sub IDs of the credited click; the first one is `sub_id`, which a store can also report. They belong to the '
  'affiliate who was credited first (facts -> affiliate), and are shown to no other.';

update conversions set sub_ids = array[sub_id] where sub_id is not null and sub_ids = '{}';
