-- The hosts from which public pages may load images.

alter table programs add column image_hosts text[] not null default '{}';
