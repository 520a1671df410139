// Checks the DNS records of sender addresses: on request and regularly by a schedule.
import { sql } from 'kysely';
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import type { Context } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { dnsUnavailable, requireAnswer, toCheckedColumns, toNextCheckAt } from '../../../platform/lib/network/dns-check.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { type FoundSenderRecords, findSenderProblem, type MailServer, readSenderRecords, toMailServer, toSenderStatus } from './records.ts';
import { findSender, SenderShape, type StoredSender, toSender } from './sender.ts';

export const senderUnavailable = {
  status: 400,
  code: 'email_sender_not_available',
  when: 'The operator of this installation has not set SENDER_SPF.',
} as const;
const noSender = { status: 400, code: 'email_sender_missing', when: 'The program has no sender address.' } as const;

/** The mail server that senders need. Throws InvalidState if the operator has not described it. */
export function requireMailServer({ config }: Pick<Context, 'config'>): MailServer {
  const server = toMailServer(config);
  if (!server) throw new InvalidState(senderUnavailable.code, 'This installation does not allow programs to have a sender address.');
  return server;
}

export const checkSender = endpoint({
  id: 'emailSender.check',
  route: 'POST /v1/programs/:programId/email-sender/check',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Program',
  summary: 'Check the DNS records of the sender address',
  description: 'They are also checked on a schedule. A new record can take an hour to appear.',
  statuses: [200],
  result: SenderShape,
  errors: [dnsUnavailable, senderUnavailable, noSender],
  async outside(ctx, { actor }) {
    const server = requireMailServer(ctx);
    const sender = await findSender(ctx, actor.programId);
    if (!sender) throw new InvalidState(noSender.code, noSender.when);
    const found = await requireAnswer(readSenderRecords(ctx, { domain: sender.domain, server }));
    return toSender(ctx, await recordSenderCheck(ctx, actor, { sender, server, found }));
  },
});

const schedule = { kind: 'schedule' as const, id: 'emails.checkSenders' };

export const checkDueSenders = job<object>({
  name: schedule.id,
  retries: 0,
  cron: '* * * * *',
  run: (ctx) =>
    forEachProgram(ctx, {
      find: (scope) => sql`select program_id from email_senders where next_check_at <= ${systemTime(ctx)} and ${scope}`,
      run: (programId, own) => checkDue(own, programId),
      atOnce: 5,
    }),
});

async function checkDue(ctx: Context, programId: string): Promise<void> {
  const [server, sender] = [toMailServer(ctx.config), await findSender(ctx, programId)];
  if (!sender) return;
  const found = server && (await readSenderRecords(ctx, { domain: sender.domain, server }).catch(() => null));
  if (server && found) return void (await recordSenderCheck(ctx, schedule, { sender, server, found }));
  // Name servers that give no answer say nothing about the records.
  const nextCheckAt = toNextCheckAt(sender, systemTime(ctx));
  await ctx.db.updateTable('emailSenders').set({ nextCheckAt }).where('programId', '=', programId).execute();
}

type Checked = { sender: StoredSender; server: MailServer; found: FoundSenderRecords };

/** Stores what a check found, and the status that follows. A sender that was replaced in the meantime stays as it is. */
function recordSenderCheck(ctx: Context, actor: Actor, { sender, server, found }: Checked): Promise<StoredSender | undefined> {
  const { programId, domain } = sender;
  return transact(ctx, async (tx) => {
    await lockPrograms(tx, [programId]);
    const present = await findSender(tx, programId);
    if (present?.domain !== domain) return present;
    const problem = findSenderProblem({ programId, domain, server, found });
    const status = toSenderStatus(problem, present.activatedAt !== null);
    const senders = tx.db.updateTable('emailSenders').set(toCheckedColumns(present, { status, problem, found }, systemTime(tx)));
    const after = await senders.where('programId', '=', programId).returningAll().executeTakeFirstOrThrow();
    if (status !== present.status) {
      const change = { before: { status: present.status }, after: { status, problem } };
      await recordChange(tx, { programId, actor, action: 'email_sender.status_changed', subjectId: programId, ...change });
    }
    return after;
  });
}
