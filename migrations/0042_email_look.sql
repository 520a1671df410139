-- Who emails to affiliates come from, and the language of those to affiliates who have chosen none.

alter table program_brands
  add column reply_to text,
  add column postal_address text,
  add column email_locale text not null default 'en',
  add constraint program_brands_email_locale_known check (email_locale in ('en', 'de'));

comment on column program_brands.reply_to is 'Where answers to emails to affiliates go.';
comment on column program_brands.postal_address is 'Shown at the end of every email to affiliates.';
comment on column program_brands.email_locale is 'The language of emails to affiliates without a user.';
