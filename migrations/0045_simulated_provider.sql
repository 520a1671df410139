-- Simulated payments, which only programs in test mode can have.

alter table providers add column program_mode text;
alter table providers add constraint providers_simulated_in_test_mode
  check ((type = 'simulated') = (program_mode is not null and program_mode = 'test'));
alter table providers add constraint providers_program_mode_known check (program_mode = 'test');
alter table providers add constraint providers_program_mode_fkey foreign key (program_id, program_mode) references programs (id, mode);

comment on column providers.program_mode is
  'Set for simulated payments only: the mode that the program must have and, by the reference, keeps.';
