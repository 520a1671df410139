-- Proxies in front of the service that TRUSTED_PROXIES doesn't name.

create table untrusted_proxies (
  address text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint untrusted_proxies_pkey primary key (address),
  constraint untrusted_proxies_address_size check (length(address) between 2 and 45)
);

comment on table untrusted_proxies is
  'Addresses that sent forwarded headers without being trusted. Belongs to the installation: every process adds what it '
  'sees, and `doctor` and alerts of every program read it. An address is deleted a month after its last request.';

alter table alerts drop constraint alerts_kind_known;
alter table alerts add constraint alerts_kind_known check (kind in (
  'payouts_locked', 'payouts_unknown', 'invariant_broken', 'provider_failing', 'emails_failing', 'proxy_untrusted'));
