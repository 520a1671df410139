-- Events that wait for an exchange rate are looked for whenever rates arrive; there are few of them.

create index provider_events_unconverted on provider_events (program_id) where error_code = 'exchange_rate_missing';
