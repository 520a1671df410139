// Creates and lists the programs of this installation.
import type { Command } from 'commander';
import { createProgram } from '../../accounts/programs/create.ts';
import { createDefaultRule } from '../../earning/commission-rules/create.ts';
import { transact } from '../../platform/db/transact.ts';
import { line, webAddress } from '../../platform/http/declaration/fields.ts';
import { fact, json, moment, say, table } from './print.ts';
import { operator, Refused, requireField, withService } from './run.ts';

type Creation = { name: string; currency: string; timezone: string; website?: string; commission: string; test?: boolean; json?: boolean };

export function programCommands(cli: Command): void {
  const program = cli.command('program').description('programs of this installation');
  program
    .command('create')
    .description('create a program and an API key with read and write scope')
    .requiredOption('--name <name>', 'name of the program, shown to affiliates')
    .option('--currency <code>', 'ISO 4217 currency of the program', 'USD')
    .option('--timezone <name>', 'IANA time zone of the program', 'UTC')
    .option('--website <url>', 'website of the program: the target of links in emails')
    .option('--commission <percent>', 'commission on every order until you add other rules; 0 for none', '10')
    .option('--test', 'create a test program: its keys start with trb_test_')
    .option('--json', 'print {"programId", "apiKey"}')
    .action(create);
  program.command('list').description('list programs').option('--json', 'print JSON').action(list);
}

async function create({ name, currency, timezone, website, commission, test, json: asJson }: Creation): Promise<void> {
  const given = {
    name: requireField(line(100), name, '--name'),
    websiteUrl: website === undefined ? null : requireField(webAddress, website, '--website'),
  };
  check({ currency, timezone });
  const rate = percentIn(commission);
  await withService('program create', async ({ ctx }) => {
    const { programId, apiKey } = await transact(ctx, async (tx) => {
      const mode = test ? ('test' as const) : ('live' as const);
      const fresh = { name: given.name, mode, currency, timezone, websiteUrl: given.websiteUrl };
      const created = await createProgram(tx, fresh, operator());
      if (rate > 0) await createDefaultRule(tx, created.programId, { rate, actor: operator() });
      return created;
    });
    if (asJson) return json({ programId, apiKey });
    fact('Program', programId);
    fact('API key', apiKey);
    fact('Commission', commissionText(rate));
    say('  The API key is shown only once. Store it with your other secrets.');
    say('  Referring another affiliate pays nothing yet: to pay for it, add a commission rule with "level": 2.');
  });
}

function commissionText(rate: number): string {
  return rate > 0 ? `${rate} % of every order, until you add other commission rules` : 'nothing until you add a commission rule';
}

/** "12.5" → 12.5 */
function percentIn(text: string): number {
  const rate = Number(text);
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(text) || rate > 100)
    throw new Refused('--commission must be a percentage from 0 to 100, with up to 4 decimals.');
  return rate;
}

function check({ currency, timezone }: { currency: string; timezone: string }): void {
  if (!Intl.supportedValuesOf('currency').includes(currency))
    throw new Refused(`--currency must be an ISO 4217 code such as USD, not ${currency}.`);
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw new Refused(`--timezone must be an IANA name such as Europe/Berlin, not ${timezone}.`);
  }
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
