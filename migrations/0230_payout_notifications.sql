-- Notifications about batches of payouts and large orders.

alter table notification_choices drop constraint notification_choices_kind_known;
alter table notification_choices add constraint notification_choices_kind_known
  check (kind in ('application', 'page', 'content', 'fraud_alert', 'large_order', 'payout_approval', 'payout_sent', 'payout_batch_failed',
    'payout_failed', 'payout_problem', 'connection'));

alter table programs add column large_order_cents bigint;
alter table programs add constraint programs_large_order_range check (large_order_cents between 1 and 99999999999);
