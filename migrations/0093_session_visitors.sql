-- Which visitor a signed-in browser is, to find affiliates who share a device with each other or with a buyer.

alter table sessions add column visitor_id text;

comment on column sessions.visitor_id is
  'The visitor whose cookie the browser had when the session was last used. Following a link sets the cookie, unless the '
  'visitor objects. Null without it.';

create index sessions_visitor on sessions (visitor_id) where visitor_id is not null;
