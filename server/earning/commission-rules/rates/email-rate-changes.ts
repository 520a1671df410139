// Emails the affiliates whose commission a new version of a rule changes. Each step commits with the emails it wrote; a job that
// runs again leaves those out, and emails_rate_changed_once decides between two that run at once.
import { findPortalUrl } from '../../../accounts/programs/hosts/site-url.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context, Tx } from '../../../context.ts';
import { findWrittenTo } from '../../../messaging/emails/find-written.ts';
import { sendRateChanged } from '../../../messaging/emails/kinds/earnings/rate-changed.ts';
import { loadFrames } from '../../../messaging/emails/look/look.ts';
import { transact } from '../../../platform/db/transact.ts';
import { job, jobName } from '../../../platform/queue/job.ts';
import { rulesAt } from '../choose-rule.ts';
import { loadWholeHistory } from '../load.ts';
import { Rule, type RuleRow } from '../terms.ts';
import { findAffected, listCandidates, loadCovered } from './find-recipients.ts';
import type { RuleChange } from './rate-changes.ts';

/** `changeId`: the audit row of the version. `publishedAt`: ISO 8601. `after`: the last affiliate whose email was written. */
type Published = { programId: string; ruleId: string; version: number; changeId: string; publishedAt: string; after: string | null };

const emailRateChangesJob = jobName<Published>('commissionRules.email_changes');

const affiliatesAtOnce = 200;
/** How long one run works before it enqueues itself again. */
const maxRunMs = 60_000;

/** Queues the emails about a version that was published in this transaction. */
export async function queueRateEmails(tx: Tx, { programId, id: ruleId, version }: RuleRow, changeId: string): Promise<void> {
  const publishedAt = tx.clock.now().toISOString();
  await tx.jobs.enqueue(tx, emailRateChangesJob, { programId, ruleId, version, changeId, publishedAt, after: null });
}

export const emailRateChanges = job<Published>({
  ...emailRateChangesJob,
  isOutgoing: true,
  retries: 10,
  heartbeatSeconds: 15,
  run: writeEmails,
});

async function writeEmails(ctx: Context, published: Published): Promise<void> {
  const startedAt = performance.now();
  let { after } = published;
  while (performance.now() - startedAt < maxRunMs) {
    const from = after;
    after = await transact(ctx, (tx) => writeNext(tx, { ...published, after: from }));
    if (after === null) return;
  }
  const last = after;
  await transact(ctx, (tx) => tx.jobs.enqueue(tx, emailRateChangesJob, { ...published, after: last }));
}

/** Writes the emails to the next affiliates. Returns the last of these; null at the end. */
export async function writeNext(tx: Tx, { after, ...published }: Published, limit = affiliatesAtOnce): Promise<string | null> {
  const { programId, changeId } = published;
  const candidates = await listCandidates(tx, programId, { after, limit });
  const change = await loadChange(tx, published);
  const affected = findAffected(candidates, change);
  const written = await findWrittenTo(tx, { programId, changeId, affiliateIds: affected.map(({ id }) => id) });
  const { currency, timezone } = await getProgram(tx, programId);
  const startsAt = change.at > new Date(published.publishedAt) ? change.at : null;
  const ratesUrl = `${await findPortalUrl(tx, programId)}/rates`;
  const waiting = affected.filter(({ id }) => !written.has(id));
  const frameOf = await loadFrames(tx, { programId, affiliateIds: waiting.map(({ id }) => id) });
  for (const { changed, ...affiliate } of waiting)
    await sendRateChanged(tx, frameOf(affiliate.id), {
      programId,
      changeId,
      affiliate,
      changed: { ...changed, startsAt, currency, timezone, ratesUrl },
    });
  return candidates.length < limit ? null : (candidates.at(-1)?.id ?? null);
}

/** The rules without and with the version, when it begins to apply. */
async function loadChange(tx: Tx, { programId, ruleId, version, publishedAt }: Omit<Published, 'after'>): Promise<RuleChange> {
  const rows = tx.db.selectFrom('commissionRuleVersions').select('rule').where('programId', '=', programId).where('ruleId', '=', ruleId);
  const versions = await rows.where('version', 'in', [version - 1, version]).execute();
  const rules = versions.map(({ rule }) => Rule.parse(rule));
  const at = startOf(
    rules.find((rule) => rule.version === version),
    new Date(publishedAt),
  );
  const history = await loadWholeHistory(tx, programId, new Date(publishedAt));
  const others = rulesAt(history, at.toISOString()).filter(({ id }) => id !== ruleId);
  const withVersion = (wanted: number) => [...others, ...rules.filter((rule) => rule.version === wanted && !rule.isArchived)];
  const items = await loadCovered(tx, programId, rules);
  return { ruleIds: [ruleId], before: withVersion(version - 1), after: withVersion(version), items, at };
}

/** When a version begins to apply: at once, unless it says a later time. */
export function startOf(rule: Pick<Rule, 'effectiveFrom'> | undefined, now: Date): Date {
  const start = rule?.effectiveFrom ? new Date(rule.effectiveFrom) : now;
  return start > now ? start : now;
}
