// Programs of this installation, made and listed from the command line.
import type { Command } from 'commander';
import { transact } from '../db/transact.ts';
import { createProgram } from '../programs/create.ts';
import { fact, json, moment, say, table } from './print.ts';
import { operator, Refused, withService } from './run.ts';

type Creation = { name: string; currency: string; timezone: string; website?: string; test?: boolean; json?: boolean };

export function programCommands(cli: Command): void {
  const program = cli.command('program').description('programs of this installation');
  program
    .command('create')
    .description('create a program, with a key that may read and write')
    .requiredOption('--name <name>', 'name of the brand, as affiliates read it')
    .option('--currency <code>', 'ISO 4217, for every amount of the program', 'USD')
    .option('--timezone <name>', 'IANA time zone of its months and statements', 'UTC')
    .option('--website <url>', 'where mails send people')
    .option('--test', 'a program for trying things out: its keys start with trb_test_')
    .option('--json', 'print {"programId", "apiKey"}')
    .action(create);
  program.command('list').description('list programs').option('--json', 'print JSON').action(list);
}

async function create({ name, currency, timezone, website, test, json: asJson }: Creation): Promise<void> {
  check({ name, currency, timezone, website });
  await withService('program create', async ({ ctx }) => {
    const { programId, apiKey } = await transact(ctx, (tx) =>
      createProgram(
        tx,
        {
          name: name.normalize('NFC').trim(),
          mode: test ? 'test' : 'live',
          currency,
          timezone,
          websiteUrl: website ?? null,
        },
        operator(),
      ),
    );
    if (asJson) return json({ programId, apiKey });
    fact('Program', programId);
    fact('API key', apiKey);
    say('  The key is shown once. Keep it where you keep secrets.');
  });
}

function check({
  name,
  currency,
  timezone,
  website,
}: {
  name: string;
  currency: string;
  timezone: string;
  website: string | undefined;
}): void {
  if (name.trim() === '' || name.length > 100) throw new Refused('--name must have 1 to 100 characters.');
  if (!Intl.supportedValuesOf('currency').includes(currency))
    throw new Refused(`--currency must be an ISO 4217 code such as USD, not ${currency}.`);
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw new Refused(`--timezone must be an IANA name such as Europe/Berlin, not ${timezone}.`);
  }
  if (website !== undefined && !(URL.canParse(website) && /^https?:/.test(website)))
    throw new Refused('--website must be an http or https URL.');
}

async function list({ json: asJson }: { json?: boolean }): Promise<void> {
  await withService('program list', async ({ ctx }) => {
    const programs = await ctx.db.selectFrom('programs').selectAll().orderBy('createdAt').execute();
    if (asJson) return json(programs);
    table(
      ['PROGRAM', 'NAME', 'MODE', 'CURRENCY', 'CREATED'],
      programs.map((row) => [row.id, row.name, row.mode, row.currency, moment(row.createdAt)]),
    );
  });
}
