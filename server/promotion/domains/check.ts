// Checks the DNS records of a domain: on request, soon after it was added, and regularly by a schedule.
import { sql } from 'kysely';
import { lockPrograms } from '../../accounts/programs/lock-program.ts';
import type { Context, Tx } from '../../context.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { systemTime } from '../../platform/lib/clock.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { dnsUnavailable, requireAnswer, toCheckedColumns, toNextCheckAt } from '../../platform/lib/network/dns-check.ts';
import { forEachProgram } from '../../platform/queue/each-program.ts';
import { job } from '../../platform/queue/job.ts';
import { type DomainProblem, findAddressProblem, judgeOwnership, toStatus } from './dns/records.ts';
import { type FoundRecords, readRecords, toTarget } from './dns/target.ts';
import { type Domain, DomainShape, domainSlot, getDomain, toDomain } from './domain.ts';
import { domainFailed, domainVerified } from './events.ts';
import { chooseDefault, findOwner, registerHost, setActive } from './register.ts';

export const checkDomain = endpoint({
  id: 'domains.check',
  route: 'POST /v1/programs/:programId/domains/:id/check',
  scope: 'write',
  requires: 'settings.write',
  tag: 'Domains',
  summary: 'Check the DNS records of a custom domain',
  description: 'They are also checked on a schedule. A new record can take an hour to appear.',
  path: { id: domainSlot },
  statuses: [200],
  result: DomainShape,
  errors: [dnsUnavailable],
  async outside(ctx, { actor, params: { id } }) {
    const domain = await getDomain(ctx, actor.programId, id);
    const found = await requireAnswer(readRecords(ctx, domain.host));
    return toDomain(ctx, await recordCheck(ctx, actor, domain, found));
  },
});

const schedule = { kind: 'schedule' as const, id: 'domains.checkDue' };

export const checkNewDomain = job<{ programId: string; domainId: string }>({
  name: 'domains.checkNew',
  retries: 0,
  run: (ctx, { programId, domainId }) => checkById(ctx, programId, domainId),
});

/** The most domains of a program that one run checks. */
const maxChecks = 20;

export const checkDueDomains = job<object>({
  name: schedule.id,
  retries: 0,
  cron: '* * * * *',
  run: (ctx) =>
    forEachProgram(ctx, {
      find: (scope) => sql`select distinct program_id from domains where next_check_at <= ${systemTime(ctx)} and ${scope}`,
      run: (programId, own) => checkDue(own, programId),
      atOnce: 5,
    }),
});

async function checkDue(ctx: Context, programId: string): Promise<void> {
  const domains = ctx.db.selectFrom('domains').select('id').where('programId', '=', programId).where('nextCheckAt', '<=', systemTime(ctx));
  for (const { id } of await domains.orderBy('nextCheckAt').limit(maxChecks).execute()) await checkById(ctx, programId, id);
}

/** Does nothing for a domain that is deleted before the end of the check. */
async function checkById(ctx: Context, programId: string, id: string): Promise<void> {
  try {
    const domain = await getDomain(ctx, programId, id);
    const found = await readRecords(ctx, domain.host).catch(() => null);
    if (found !== null) return void (await recordCheck(ctx, schedule, domain, found));
    // Name servers that give no answer say nothing about the records.
    const nextCheckAt = toNextCheckAt(domain, systemTime(ctx));
    await ctx.db.updateTable('domains').set({ nextCheckAt }).where('programId', '=', programId).where('id', '=', id).execute();
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

/** Stores the records that a check found, and the owner and status that follow from them. Throws NotFound if the domain was deleted. */
function recordCheck(
  ctx: Context,
  actor: Actor,
  { programId, id }: Pick<Domain, 'programId' | 'id'>,
  found: FoundRecords,
): Promise<Domain> {
  return transact(ctx, async (tx) => {
    await lockPrograms(tx, [programId]);
    const domain = await getDomain(tx, programId, id);
    const problem = (await findOwnershipProblem(tx, domain, found)) ?? findAddressProblem(toTarget(tx.config), found);
    const status = toStatus(problem, domain.activatedAt !== null);
    await setActive(tx, { programId, domainId: id, isActive: status === 'active' });
    await chooseDefault(tx, programId, domain.purpose);
    await tx.db
      .updateTable('domains')
      .set(toCheckedColumns(domain, { status, problem, found }, systemTime(tx)))
      .where('programId', '=', programId)
      .where('id', '=', id)
      .execute();
    if (status !== domain.status) {
      const before = { status: domain.status };
      await recordChange(tx, { programId, actor, action: 'domain.status_changed', subjectId: id, before, after: { status, problem } });
    }
    const after = await getDomain(tx, programId, id);
    if (status !== domain.status && status !== 'pending') {
      const occurrence = { objectId: id, data: toDomain(tx, after), previous: { status: domain.status } };
      await recordEvent(tx, { programId, actor }, (status === 'active' ? domainVerified : domainFailed).of(occurrence));
    }
    return after;
  });
}

/** Registers the host of a domain that was proven now. */
async function findOwnershipProblem(tx: Tx, domain: Domain, found: FoundRecords): Promise<DomainProblem | null> {
  const { programId, id: domainId, host, purpose } = domain;
  const ownerId = await findOwner(tx, host);
  const ownership = judgeOwnership({ programId, ownerId }, found);
  if (ownership === 'missing') return 'ownership_missing';
  if (ownership === 'kept') return null;
  const isOwned = ownership === 'gained' && (await registerHost(tx, { host, programId, domainId, purpose, isActive: false }, ownerId));
  return isOwned ? null : 'taken';
}
