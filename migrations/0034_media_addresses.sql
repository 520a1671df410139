-- The program of an image is looked up in a register.

create table media_addresses (
  media_id uuid not null,
  program_id uuid not null,
  constraint media_addresses_pkey primary key (media_id),
  constraint media_addresses_program_fkey foreign key (program_id) references programs (id)
);

comment on table media_addresses is
  'The program of each uploaded image, whose address contains only its id. A row is written and deleted with the image. '
  'A reference table.';

insert into media_addresses (media_id, program_id) select id, program_id from media;

drop index media_variants_by_media;
