// TABLE OF CONTENTS of the command line: every command, and the file that declares it. The commands of the API are not listed:
// they follow from openapi.json (api/commands.ts).
import type { Command } from 'commander';
import type { AddCalled } from './completion/candidates.ts';
import type { Terminal } from './terminal/terminal.ts';

export type CommandFile = {
  group: string;
  /** The commands that the file declares, and what the list of commands says about them. */
  commands: Readonly<Record<string, string>>;
  load(): Promise<(cli: Command, terminal: Terminal, addCalled: AddCalled) => void>;
};

export const commandFiles: readonly CommandFile[] = [
  {
    group: 'Service:',
    commands: {
      serve: 'Set up the installation, serve the API and run background jobs',
      worker: 'Run background jobs without serving HTTP (needs DATABASE_URL)',
    },
    load: async () => (await import('./serve/serve.ts')).serveCommands,
  },
  {
    group: 'Command line:',
    commands: {
      login: 'Store an installation and an API key as a profile',
      profiles: 'List the stored installations, and choose the one in use',
    },
    load: async () => (await import('./connection/commands.ts')).connectionCommands,
  },
  {
    group: 'Command line:',
    commands: { open: 'Open a screen of the console, or print its address' },
    load: async () => (await import('./console/open.ts')).openCommands,
  },
  {
    group: 'Command line:',
    commands: { listen: 'Forward the events of a program to an address, signed like a webhook' },
    load: async () => (await import('./listen/listen.ts')).listenCommands,
  },
  {
    group: 'Command line:',
    commands: { mcp: 'Serve the API to assistants that speak the Model Context Protocol' },
    load: async () => (await import('./mcp/commands.ts')).mcpCommands,
  },
  {
    group: 'Command line:',
    commands: { completion: 'Print a script that completes commands in bash, zsh or fish' },
    load: async () => (await import('./completion/commands.ts')).completionCommands,
  },
  {
    group: 'Programs (this machine):',
    commands: { program: 'Create and list programs' },
    load: async () => (await import('./accounts/program.ts')).programCommands,
  },
  {
    group: 'Programs (this machine):',
    commands: { key: 'Create and manage API keys' },
    load: async () => (await import('./accounts/key.ts')).keyCommands,
  },
  {
    group: 'Programs (this machine):',
    commands: { user: 'Create and manage the users who sign in to the console' },
    load: async () => (await import('./accounts/user.ts')).userCommands,
  },
  {
    group: 'Programs (this machine):',
    commands: { page: 'Review landing pages' },
    load: async () => (await import('./page.ts')).pageCommands,
  },
  {
    group: 'Data (this machine):',
    commands: { mail: 'List and show emails, and send them again' },
    load: async () => (await import('./mail.ts')).mailCommands,
  },
  {
    group: 'Data (this machine):',
    commands: {
      export: 'Export a whole program, or affiliates as CSV or JSON',
      import: 'Import a whole program, the history of another system, or affiliates to invite',
    },
    load: async () => (await import('./csv.ts')).csvCommands,
  },
  {
    group: 'Data (this machine):',
    commands: { tax: 'Write files for tax authorities; exits with 2 if tax forms are missing' },
    load: async () => (await import('./tax.ts')).taxCommands,
  },
  {
    group: 'Data (this machine):',
    commands: { persons: 'Export or erase a person in all programs' },
    load: async () => (await import('./accounts/persons.ts')).personsCommands,
  },
  {
    group: 'Data (this machine):',
    commands: { demo: 'Create a demo program with affiliates, products, pages, orders and payouts' },
    load: async () => (await import('./demo.ts')).demoCommands,
  },
  {
    group: 'Maintenance (this machine):',
    commands: {
      backup: 'Write the whole database into a new file, while servers run',
      restore: 'Load a backup into an empty database; payouts are then locked until they are reconciled',
    },
    load: async () => (await import('./backup.ts')).backupCommands,
  },
  {
    group: 'Maintenance (this machine):',
    commands: { secrets: 'Manage the keys that encrypt payout details, tax forms and provider secrets' },
    load: async () => (await import('./secrets.ts')).secretsCommands,
  },
  {
    group: 'Maintenance (this machine):',
    commands: {
      freeze: 'Stop sending payouts, emails and webhooks immediately, in every process',
      unfreeze: 'Send payouts, emails and webhooks again',
    },
    load: async () => (await import('./maintenance/freeze.ts')).freezeCommands,
  },
  {
    group: 'Maintenance (this machine):',
    commands: {
      doctor: 'Check this machine and its settings',
      verify: 'Check that the data is consistent; exits with 1 if it is not',
      migrate: 'Apply pending schema migrations (`serve` also does this)',
    },
    load: async () => (await import('./check.ts')).checkCommands,
  },
];
