-- An open payout whose commissions a payout that was believed not to be paid has already paid.
alter table alerts drop constraint alerts_kind_known;
alter table alerts add constraint alerts_kind_known check (kind in (
  'payouts_locked', 'payouts_unknown', 'payouts_duplicate', 'invariant_broken', 'provider_failing', 'emails_failing', 'proxy_untrusted'));
