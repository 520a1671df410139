-- Old rows are deleted and erased program by program, so the indexes that find them begin with the program.

drop index applications_unconfirmed;

create index applications_unconfirmed on applications (program_id, created_at) where confirmed_at is null;

drop index background_tasks_ended;

create index background_tasks_ended on background_tasks (program_id, finished_at) where finished_at is not null;

drop index background_task_outputs_oldest;

create index background_task_outputs_oldest on background_task_outputs (program_id, created_at);

drop index clicks_with_visitor;

create index clicks_with_visitor on clicks (program_id, created_at)
  where visitor_id is not null or ip_hash is not null or agent is not null or referrer_host is not null;

drop index emails_with_body;

create index emails_with_body on emails (program_id, created_at) where html_body <> '';

drop index media_by_age;

create index media_by_age on media (program_id, created_at);

drop index provider_events_with_payload;

create index provider_events_with_payload on provider_events (program_id, created_at)
  where payload is not null and status in ('processed', 'ignored', 'failed');

drop index webhook_deliveries_by_age;

create index webhook_deliveries_by_age on webhook_deliveries (program_id, created_at);
