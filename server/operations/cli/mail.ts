// Emails of this installation: sent, queued, and stored while no mail server is set.
import type { Command } from 'commander';
import { NotFound } from '../../platform/lib/errors.ts';
import { requireUuid } from './key.ts';
import { fact, json, moment, say, table } from './print.ts';
import { Refused, withService } from './run.ts';

export function mailCommands(cli: Command): void {
  const mail = cli.command('mail').description('list and show emails');
  mail
    .command('list')
    .description('list the newest emails')
    .option('--program <id>', 'only emails of this program')
    .option('--limit <number>', 'how many', '20')
    .option('--json', 'print JSON')
    .action(list);
  mail
    .command('show')
    .description('show an email')
    .argument('<mailId>')
    .option('--html', 'print the HTML version')
    .option('--json', 'print JSON')
    .action(show);
}

async function list({ program, limit, json: asJson }: { program?: string; limit: string; json?: boolean }): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(limit)) throw new Refused('--limit must be a number from 1 to 9999.');
  const programId = program === undefined ? null : requireUuid(program, '--program');
  await withService('mail list', async ({ ctx }) => {
    let mails = ctx.db
      .selectFrom('emails')
      .select(['id', 'programId', 'kind', 'toAddress', 'subject', 'status', 'lastError', 'createdAt', 'sentAt']);
    if (programId) mails = mails.where('programId', '=', programId);
    const rows = await mails.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(Number(limit)).execute();
    if (asJson) return json(rows);
    if (rows.length === 0) return say('  No emails yet.');
    table(
      ['EMAIL', 'TO', 'SUBJECT', 'STATUS', 'CREATED'],
      rows.map((row) => [row.id, row.toAddress, row.subject, row.status, moment(row.createdAt)]),
    );
  });
}

async function show(mailId: string, { html, json: asJson }: { html?: boolean; json?: boolean }): Promise<void> {
  const id = requireUuid(mailId, 'The email id');
  await withService('mail show', async ({ ctx }) => {
    const mail = await ctx.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst();
    if (!mail) throw new NotFound();
    if (asJson) return json(mail);
    if (html) return say(mail.htmlBody);
    fact('To', mail.toAddress);
    fact('Subject', mail.subject);
    fact('Status', mail.lastError ? `${mail.status} (${mail.lastError})` : mail.status);
    say(`\n${mail.textBody.replace(/^/gm, '  ')}`);
  });
}
