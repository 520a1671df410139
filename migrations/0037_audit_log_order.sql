-- Lists of the audit log page by time.
drop index audit_log_subject;
create index audit_log_subject on audit_log (program_id, subject_id, created_at, id);
create index audit_log_time on audit_log (program_id, created_at, id);
