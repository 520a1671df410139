-- Totals of affiliates change each second. With room on its page, a new version of a row needs no entries in the indexes.
alter table affiliates set (fillfactor = 60);
