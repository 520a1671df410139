-- Sessions and links that were started on a program's host admit to that program's portal only.

alter table sessions add column site_program_id uuid;

comment on column sessions.site_program_id is
  'The program on whose custom domain the session was started: it admits to the portal of this program only, because the '
  'owner of the domain can read its cookie by leading the domain to another server. Null: started on the installation.';

alter table email_verifications add column site_program_id uuid;

comment on column email_verifications.site_program_id is
  'The program whose custom domain is in the link. The session that it starts is limited to this program, too.';
