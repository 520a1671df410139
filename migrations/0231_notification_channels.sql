-- Channels of Slack and compatible chats that notifications are posted to.

alter table webhooks add column notification_kinds text[];
alter table webhooks add column locale text;
alter table webhooks add column address bytea;
alter table webhooks add constraint webhooks_channel_locale check ((notification_kinds is null) = (locale is null));
alter table webhooks add constraint webhooks_channel_of_program
  check (notification_kinds is null or (affiliate_id is null and secrets is null));
alter table webhooks add constraint webhooks_address_of_channel check (address is null or notification_kinds is not null);
alter table webhooks add constraint webhooks_locale_known check (locale in ('en', 'de'));

create index webhooks_channels on webhooks (program_id, id) where notification_kinds is not null;

comment on table webhooks is
  'An address to which events are pushed. `secrets` are encrypted. read_position is that of the last event that '
  'was considered; those after it follow. A deleted webhook stays without its address and secrets until its '
  'deliveries are deleted. With an affiliate_id, it is a postback: registered by that affiliate, for their own '
  'events, with macros in its url; it starts after its position, and `postback_readers` reads for all of a '
  'program. With notification_kinds, it is a notification channel: messages are posted to `address`, which is '
  'encrypted because it is a credential; url has its host only.';
