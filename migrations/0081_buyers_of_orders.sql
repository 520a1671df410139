-- An order that is moved is checked for self-referral as a reported one is, by the mailbox of its buyer.

alter table conversions add column buyer_hash text;

comment on column conversions.buyer_hash is
  'A keyed hash of the mailbox that the email address of the buyer reaches, to recognize the affiliate as the buyer when '
  'the order is moved. Null if no address was reported, and for orders that were recorded before the column existed.';
