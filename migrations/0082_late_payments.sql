-- Payouts that were paid although they had been cancelled or had failed, which an alert reads every minute.
create index payout_events_late on payout_events (program_id, payout_id)
  where to_status = 'paid' and from_status in ('cancelled', 'failed');
