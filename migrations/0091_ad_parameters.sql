-- The name of the parameter with which an advertising network marked a link, such as gclid. Its value, which identifies a
-- click of the network, is not stored.

alter table clicks add column ad_parameter text;
