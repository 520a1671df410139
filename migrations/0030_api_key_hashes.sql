-- The program of an API key is looked up in a register. What changes about a key is in a table of its program.

create table api_key_hashes (
  key_hash bytea not null,
  key_id uuid not null,
  program_id uuid not null,
  constraint api_key_hashes_pkey primary key (key_hash),
  constraint api_key_hashes_key_unique unique (key_id, program_id),
  constraint api_key_hashes_program_fkey foreign key (program_id) references programs (id)
);

comment on table api_key_hashes is
  'The program of each API key by the SHA-256 of the key, which is looked up before the program is known. Rows are '
  'inserted with their key and never changed. A reference table.';

insert into api_key_hashes (key_hash, key_id, program_id) select key_hash, id, program_id from api_keys;

alter table api_keys drop constraint api_keys_replaced_by_fkey;

alter table api_keys drop constraint api_keys_pkey;

alter table api_keys add constraint api_keys_pkey primary key (program_id, id);

alter table api_keys add constraint api_keys_replaced_by_fkey
  foreign key (program_id, replaced_by_id) references api_keys (program_id, id);

alter table api_keys add constraint api_keys_hash_fkey
  foreign key (id, program_id) references api_key_hashes (key_id, program_id);

alter table api_keys drop column key_hash;

comment on table api_keys is
  'An API key of a program. Only its SHA-256 is stored, in api_key_hashes; prefix and last four identify it to people.';
