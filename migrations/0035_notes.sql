-- `note` is text that a person wrote; `reason` is set by the service.
alter table commissions add column note text;
alter table commission_events add column note text;
alter table commission_holds add column note text;
