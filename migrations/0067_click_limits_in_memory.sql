-- Processes decide about the limits of clicks in memory and exchange their counts.

comment on table click_windows is
  'Clicks per address (its daily hash) in a minute and in an hour, for the limits of the click settings. Each process '
  'adds what it let through about twice a second, and learns the sum of all processes. Past windows are deleted.';

comment on table rejected_clicks is
  'Rejected clicks per day in the program''s time zone and reason. They have no rows of their own: each process adds '
  'its counts once a second, so that a flood of clicks costs nothing.';

create index clicks_by_reason on clicks (program_id, reason, created_at, id) where reason is not null;
