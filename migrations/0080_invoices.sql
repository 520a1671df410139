-- Self-billing invoices: who issues them, who agreed to them, and the documents with their numbers.

create table invoice_issuers (
  program_id uuid not null,
  version integer not null,
  is_active boolean not null,
  legal_name text,
  street text,
  postal_code text,
  city text,
  country text,
  vat_id text,
  tax_number text,
  vat_rate numeric(7, 4),
  number_prefix text not null,
  created_at timestamptz not null,
  constraint invoice_issuers_pkey primary key (program_id, version),
  constraint invoice_issuers_program_fkey foreign key (program_id) references programs (id),
  constraint invoice_issuers_active_complete
    check (not is_active or (legal_name is not null and street is not null and city is not null and country is not null)),
  constraint invoice_issuers_vat_rate_range check (vat_rate >= 0 and vat_rate <= 100)
);

comment on table invoice_issuers is
  'The legal details with which a program issues invoices. Each change adds a version, and the last one applies; an invoice '
  'refers to the version that it was issued with.';

create table invoice_details (
  program_id uuid not null,
  affiliate_id uuid not null,
  version integer not null,
  is_agreed boolean not null,
  encrypted_details bytea,
  country text,
  is_small_business boolean not null,
  language text not null,
  created_at timestamptz not null,
  constraint invoice_details_pkey primary key (program_id, affiliate_id, version),
  constraint invoice_details_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint invoice_details_agreed_complete
    check (is_agreed = (encrypted_details is not null) and is_agreed = (country is not null)),
  constraint invoice_details_language_known check (language in ('en', 'de'))
);

comment on table invoice_details is
  'What invoices say about an affiliate, encrypted, with the agreement to self-billing. Each change adds a version, and the '
  'last one applies; an invoice refers to the version that it was issued with. `is_agreed = false`: the agreement was withdrawn.';

create table invoice_counters (
  program_id uuid not null,
  year integer not null,
  last_seq integer not null,
  constraint invoice_counters_pkey primary key (program_id, year),
  constraint invoice_counters_program_fkey foreign key (program_id) references programs (id),
  constraint invoice_counters_last_seq_positive check (last_seq > 0)
);

comment on table invoice_counters is
  'The last number of a program''s invoices in a year. Its row stays locked until the transaction that took numbers ends, so a '
  'transaction that is rolled back leaves no gap.';

create table invoices (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  year integer not null,
  seq integer not null,
  number text not null,
  affiliate_id uuid not null,
  payout_id uuid not null,
  cancels_id uuid,
  issuer_version integer not null,
  details_version integer not null,
  vat_case text not null,
  vat_rate numeric(7, 4) not null,
  vat_cents bigint not null,
  amount_cents bigint not null,
  currency text not null,
  language text not null,
  timezone text not null,
  created_at timestamptz not null,
  constraint invoices_pkey primary key (program_id, id),
  constraint invoices_seq_unique unique (program_id, year, seq),
  constraint invoices_number_unique unique (program_id, number),
  constraint invoices_payout_unique unique (program_id, payout_id, kind),
  constraint invoices_affiliate_fkey foreign key (program_id, affiliate_id) references affiliates (program_id, id),
  constraint invoices_payout_fkey foreign key (program_id, payout_id) references payouts (program_id, id),
  constraint invoices_cancels_fkey foreign key (program_id, cancels_id) references invoices (program_id, id),
  constraint invoices_issuer_fkey foreign key (program_id, issuer_version) references invoice_issuers (program_id, version),
  constraint invoices_details_fkey
    foreign key (program_id, affiliate_id, details_version) references invoice_details (program_id, affiliate_id, version),
  constraint invoices_kind_known check (kind in ('invoice', 'cancellation')),
  constraint invoices_cancels_one check ((kind = 'cancellation') = (cancels_id is not null)),
  constraint invoices_vat_case_known check (vat_case in ('domestic', 'small_business', 'reverse_charge', 'outside_eu')),
  constraint invoices_vat_rate_range check (vat_rate >= 0 and vat_rate <= 100),
  constraint invoices_vat_only_domestic check (vat_case = 'domestic' or (vat_cents = 0 and vat_rate = 0)),
  constraint invoices_amount_sign check ((kind = 'invoice') = (amount_cents > 0)),
  constraint invoices_language_known check (language in ('en', 'de'))
);

comment on table invoices is
  'A self-billing invoice of a paid payout, or its cancellation after the payment was returned. Rows are never changed or '
  'deleted, and the numbers of a program and year have no gaps. `amount_cents` is the amount of the payout and includes '
  '`vat_cents`; both are negative in a cancellation.';

create index invoices_newest on invoices (program_id, created_at desc, id desc);
create index invoices_by_affiliate on invoices (program_id, affiliate_id, created_at desc);
