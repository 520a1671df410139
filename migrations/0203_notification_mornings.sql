-- Whether a daily email is due follows from the time of the first event that it announces.

alter table notification_readers drop column digested_on;

comment on table notification_readers is
  'The positions in the event log up to which emails were written: those sent at once, and the daily ones. They move in the '
  'transaction that writes the emails, so no event is missed or announced twice.';
