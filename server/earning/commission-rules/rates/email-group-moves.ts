// Emails affiliates who moved to the group of their volume, with the terms that change for them.
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Tx } from '../../../context.ts';
import { findWritten } from '../../../messaging/emails/find-written.ts';
import { type GroupTerms, sendGroupChanged } from '../../../messaging/emails/kinds/earnings/group-changed.ts';
import { emailGroupMovesJob, type GroupMoved } from '../../../partners/affiliates/move-group.ts';
import { transact } from '../../../platform/db/transact.ts';
import { job } from '../../../platform/queue/job.ts';
import { rulesAt } from '../choose-rule.ts';
import { findAffiliateAt, findAffiliates } from '../earners/affiliate-at-order.ts';
import { loadWholeHistory } from '../load.ts';
import { findPlainRate } from './rate-changes.ts';

export const emailGroupMoves = job<GroupMoved>({
  ...emailGroupMovesJob,
  retries: 10,
  run: (ctx, data) => transact(ctx, (tx) => writeEmails(tx, data)),
});

/** Writes the emails that a previous run has not written, to affiliates who are still active. */
async function writeEmails(tx: Tx, { programId, moves }: GroupMoved): Promise<void> {
  const changeIds = moves.map(({ changeId }) => changeId);
  const written = await findWritten(tx, programId, changeIds);
  const waiting = moves.filter(({ changeId }) => !written.has(changeId));
  if (waiting.length === 0) return;
  const { currency, ...terms } = await loadTerms(tx, programId, waiting);
  for (const { affiliateId, changeId, from, to } of waiting) {
    const affiliate = terms.recipients.get(affiliateId);
    const [before, after] = [terms.termsIn(affiliateId, from), terms.termsIn(affiliateId, to)];
    if (affiliate && before && after) await sendGroupChanged(tx, { programId, changeId, affiliate, before, after, currency });
  }
}

type Recipient = { id: string; email: string; firstName: string };
type Loaded = {
  currency: string;
  recipients: Map<string, Recipient>;
  /** The terms of an affiliate in a group; null if they were not found. */
  termsIn: (affiliateId: string, groupId: string | null) => GroupTerms | null;
};

async function loadTerms(tx: Tx, programId: string, moves: GroupMoved['moves']): Promise<Loaded> {
  const now = tx.clock.now();
  const ids = moves.map(({ affiliateId }) => affiliateId);
  const program = await getProgram(tx, programId);
  const groupRows = tx.db.selectFrom('groups').select(['id', 'name', 'holdDays', 'minimumPayoutCents']).where('programId', '=', programId);
  const groups = new Map((await groupRows.execute()).map((row) => [row.id, row]));
  const rows = tx.db.selectFrom('affiliates').select(['id', 'email', 'firstName']).where('programId', '=', programId);
  const active = await rows.where('id', 'in', ids).where('status', '=', 'active').execute();
  const rules = rulesAt(await loadWholeHistory(tx, programId, now), now.toISOString());
  const earners = await findAffiliates(tx, programId, ids, now);
  return {
    currency: program.currency,
    recipients: new Map(active.map((row) => [row.id, row])),
    termsIn: (affiliateId, groupId) => {
      const earner = findAffiliateAt(earners, affiliateId, now);
      const group = groupId === null ? null : groups.get(groupId);
      if (!earner || group === undefined) return null;
      return {
        groupName: group?.name ?? null,
        rate: findPlainRate({ id: affiliateId, groupId, override: earner.override }, rules, now),
        holdDays: group?.holdDays ?? program.holdDays,
        minimumPayoutCents: group?.minimumPayoutCents ?? program.minimumPayoutCents,
      };
    },
  };
}
