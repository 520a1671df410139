-- Lists of orders by time are read from conversion_summaries, and the orders of an affiliate by the time they occurred:
-- each of these indexes cost every order a write that no statement read.

drop index conversions_by_affiliate;
drop index conversions_by_time;
drop index conversions_newest;
