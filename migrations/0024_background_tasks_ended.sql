-- Retention: tasks that ended are found by their age, without reading those that run.
create index background_tasks_ended on background_tasks (finished_at) where finished_at is not null;
