-- Custom domains: host names of a program for its links, its portal and its storefronts.

create table domains (
  program_id uuid not null,
  id uuid not null,
  host text not null,
  purpose text not null,
  status text not null,
  problem text,
  found jsonb,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint domains_pkey primary key (program_id, id),
  constraint domains_host_unique unique (program_id, host),
  constraint domains_program_fkey foreign key (program_id) references programs (id),
  constraint domains_purpose_known check (purpose in ('links', 'portal', 'storefronts')),
  constraint domains_status_known check (status in ('pending', 'active', 'misconfigured')),
  constraint domains_problem_known
    check (problem in ('ownership_missing', 'address_missing', 'address_different', 'taken')),
  constraint domains_active_whole check (status <> 'active' or (problem is null and activated_at is not null)),
  constraint domains_found_dated check ((found is null) = (checked_at is null))
);

comment on table domains is
  'A host name, in punycode and lower case, that a program uses for its links, its portal or its storefronts. `found` has '
  'the DNS records of the last check: `txt`, `cname`, `addresses` and the addresses of the installation, `targets`. '
  '`next_check_at` is the system time of the next one. Several programs can add a host; `program_hosts` has its owner.';

create index domains_newest on domains (program_id, created_at desc, id desc);
create index domains_next_check on domains (next_check_at);

create table program_hosts (
  host text not null,
  program_id uuid not null,
  domain_id uuid not null,
  purpose text not null,
  is_active boolean not null,
  is_default boolean not null,
  constraint program_hosts_pkey primary key (host),
  constraint program_hosts_program_fkey foreign key (program_id) references programs (id),
  constraint program_hosts_purpose_known check (purpose in ('links', 'portal', 'storefronts')),
  constraint program_hosts_default_active check (not is_default or is_active)
);

comment on table program_hosts is
  'The program of each host name whose ownership was proven by a DNS record, and the purpose of the host. A row is inserted '
  'when the host is first proven, moves to another program only when that one has the record and the owner does not, and '
  'is deleted with its domain. Addresses of the program are built with the default host of their purpose. A reference '
  'table.';

create unique index program_hosts_default on program_hosts (program_id, purpose) where is_default;
create index program_hosts_by_domain on program_hosts (program_id, domain_id);
