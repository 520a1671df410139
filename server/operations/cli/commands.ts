// TABLE OF CONTENTS of the command line: every command and the file that declares it.
import type { Command } from 'commander';

export type CommandFile = {
  group: string;
  /** The commands that the file declares. */
  commands: readonly string[];
  load(): Promise<(cli: Command) => void>;
};

export const commandFiles: readonly CommandFile[] = [
  { group: 'Service:', commands: ['serve', 'worker'], load: async () => (await import('./serve/serve.ts')).serveCommands },
  { group: 'Programs:', commands: ['program'], load: async () => (await import('./accounts/program.ts')).programCommands },
  { group: 'Programs:', commands: ['key'], load: async () => (await import('./accounts/key.ts')).keyCommands },
  { group: 'Programs:', commands: ['user'], load: async () => (await import('./accounts/user.ts')).userCommands },
  { group: 'Programs:', commands: ['page'], load: async () => (await import('./page.ts')).pageCommands },
  { group: 'Data:', commands: ['mail'], load: async () => (await import('./mail.ts')).mailCommands },
  { group: 'Data:', commands: ['export', 'import'], load: async () => (await import('./csv.ts')).csvCommands },
  { group: 'Data:', commands: ['tax'], load: async () => (await import('./tax.ts')).taxCommands },
  { group: 'Data:', commands: ['demo'], load: async () => (await import('./demo.ts')).demoCommands },
  { group: 'Maintenance:', commands: ['backup', 'restore'], load: async () => (await import('./backup.ts')).backupCommands },
  { group: 'Maintenance:', commands: ['secrets'], load: async () => (await import('./secrets.ts')).secretsCommands },
  { group: 'Maintenance:', commands: ['freeze', 'unfreeze'], load: async () => (await import('./maintenance/freeze.ts')).freezeCommands },
  { group: 'Maintenance:', commands: ['doctor', 'verify', 'migrate'], load: async () => (await import('./check.ts')).checkCommands },
];
