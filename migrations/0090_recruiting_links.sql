-- Recruiting links: an application can name the affiliate whose link the applicant used.

alter table applications add column recruiter_id uuid;

alter table applications add constraint applications_recruiter_fkey
  foreign key (program_id, recruiter_id) references affiliates (program_id, id);

comment on column applications.recruiter_id is
  'The affiliate whose recruiting link the applicant used; they become the upline when the application is confirmed.';

create index applications_by_recruiter on applications (program_id, recruiter_id, affiliate_id) where recruiter_id is not null;
