-- Recipients choose which optional emails of a program they get. Who opted out before, opted out of every kind.

alter table email_recipients add column opted_out_kinds text[] not null default '{}';

update email_recipients set opted_out_kinds = '{invitation,page_review,payout_paid}' where opted_out_at is not null;

alter table email_recipients add constraint email_recipients_kinds_known check (
  opted_out_kinds <@ '{invitation,page_review,payout_paid}'::text[]);

alter table email_recipients add constraint email_recipients_opt_out_dated check (
  (opted_out_at is null) = (cardinality(opted_out_kinds) = 0));

comment on column email_recipients.opted_out_kinds is
  'The kinds of optional emails that the address does not get. `opted_out_at` is when the first of them was chosen.';
