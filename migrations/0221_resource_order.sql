-- Resources are shown in the order of their positions, and the oldest first among equal ones, in the console and the portal.

drop index resources_shown;
create index resources_shown on resources (program_id, position, id);
