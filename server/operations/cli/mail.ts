// Emails of this installation: sent, queued, failed, or stored while SMTP_URL is not set.
import type { Command } from 'commander';
import { hasPrivateLink } from '../../messaging/emails/private-link.ts';
import { resendEmail } from '../../messaging/emails/resend.ts';
import { transact } from '../../platform/db/transact.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { parseUuid, parseWholeNumber } from './arguments.ts';
import { formatTime, printField, printJson, printLine, printTable } from './print.ts';
import { commandActor, withService } from './run.ts';

export function mailCommands(cli: Command): void {
  const mail = cli.command('mail');
  mail
    .command('list')
    .description('List the newest emails')
    .option('--program <id>', 'Only emails of this program')
    .option('--limit <number>', 'Maximum number of emails', '20')
    .option('--json', 'Print JSON')
    .action(listEmails);
  mail
    .command('show')
    .description('Show an email')
    .argument('<emailId>', 'The email, from `mail list`')
    .option('--html', 'Print the HTML version')
    .option('--json', 'Print JSON')
    .action(showEmail);
  mail
    .command('resend')
    .description('Send an email again that failed, or that was stored before a mail server was configured')
    .argument('<emailId>', 'The email, from `mail list`')
    .action(resend);
}

async function resend(emailId: string): Promise<void> {
  const id = parseUuid(emailId, 'The email id');
  await withService('mail resend', async ({ ctx }) => {
    const email = await ctx.db.selectFrom('emails').select('programId').where('id', '=', id).executeTakeFirst();
    if (!email) throw new NotFound();
    const { toAddress } = await transact(ctx, (tx) => resendEmail(tx, { ...commandActor(), programId: email.programId }, id));
    printLine(`  Queued again, to ${toAddress}.`);
  });
}

async function listEmails({ program, limit, json }: { program?: string; limit: string; json?: boolean }): Promise<void> {
  const count = parseWholeNumber(limit, '--limit', 9999);
  const programId = program === undefined ? null : parseUuid(program, '--program');
  await withService('mail list', async ({ ctx }) => {
    let emails = ctx.db
      .selectFrom('emails')
      .select(['id', 'programId', 'kind', 'toAddress', 'subject', 'status', 'lastError', 'createdAt', 'sentAt']);
    if (programId) emails = emails.where('programId', '=', programId);
    const rows = await emails.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(count).execute();
    if (json) return printJson(rows);
    if (rows.length === 0) return printLine('  No emails.');
    printTable(
      ['EMAIL', 'TO', 'SUBJECT', 'STATUS', 'CREATED'],
      rows.map((row) => [row.id, row.toAddress, row.subject, row.status, formatTime(row.createdAt)]),
    );
  });
}

async function showEmail(emailId: string, { html, json }: { html?: boolean; json?: boolean }): Promise<void> {
  const id = parseUuid(emailId, 'The email id');
  await withService('mail show', async ({ ctx }) => {
    const email = await ctx.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst();
    if (!email) throw new NotFound();
    if (json) return printJson(email);
    if (html) return printLine(email.htmlBody);
    printField('To', email.toAddress);
    printField('Subject', email.subject);
    printField('Status', email.lastError ? `${email.status} (${email.lastError})` : email.status);
    printLine(`\n${email.textBody.replace(/^/gm, '  ')}`);
    if (hasPrivateLink(email)) printLine(`\n  To print the hidden link: \`user link ${email.toAddress}\`.`);
  });
}
