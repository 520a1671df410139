// Reporting that a change of payout details was made by someone else: payouts wait for a decision about the fraud alert,
// and the user of the affiliate is signed out.

import { z } from 'zod';
import { endSessions } from '../../../accounts/identity/sessions/session.ts';
import type { Context, Tx } from '../../../context.ts';
import { createFraudEvents } from '../../../earning/fraud/detect.ts';
import type { ReportableChange } from '../../../messaging/emails/kinds/payouts/report-link.ts';
import { lockAffiliate } from '../../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../../platform/audit/record.ts';

type Change = Omit<ReportableChange, 'expiresAt'>;

const actor = { kind: 'schedule', id: 'payout_details.report' } as const;

/** The change that an email is about: the one to the former address has an audit row that names the change. */
export async function findReportedChange({ db }: Pick<Context, 'db'>, change: ReportableChange): Promise<ReportableChange> {
  const entries = db.selectFrom('auditLog').select('after').where('programId', '=', change.programId).where('id', '=', change.changeId);
  const entry = await entries.where('action', '=', 'payout_details.former_notified').executeTakeFirst();
  const named = z.object({ changeId: z.string() }).safeParse(entry?.after);
  return named.success ? { ...change, changeId: named.data.changeId } : change;
}

/** Reports a change. Reporting it again changes nothing; the lock of the affiliate decides between simultaneous reports. */
export async function reportChange(tx: Tx, { programId, affiliateId, changeId }: Change): Promise<void> {
  await lockAffiliate(tx, programId, affiliateId);
  if (await isReported(tx, { programId, affiliateId, changeId })) return;
  const evidence = { changeId };
  const alerts = [{ kind: 'payout_change_reported' as const, action: 'hold' as const, evidence }];
  await createFraudEvents(tx, programId, [{ affiliateId, conversionId: null, alerts, actor }]);
  const accounts = tx.db.selectFrom('affiliateAccounts').select('userId').where('programId', '=', programId);
  const account = await accounts.where('affiliateId', '=', affiliateId).executeTakeFirst();
  const endedSessions = account ? await endSessions(tx, account.userId) : 0;
  const after = { changeId, endedSessions };
  await recordChange(tx, { programId, actor, action: 'payout_details.reported', subjectId: affiliateId, after });
}

/** Whether a change was reported, regardless of later decisions. */
export async function isReported(
  { db }: Pick<Context, 'db'> | Pick<Tx, 'db'>,
  { programId, affiliateId, changeId }: Change,
): Promise<boolean> {
  const alerts = db.selectFrom('fraudEvents').select('evidence').where('programId', '=', programId);
  const rows = await alerts.where('affiliateId', '=', affiliateId).where('kind', '=', 'payout_change_reported').execute();
  return rows.some(({ evidence }) => z.object({ changeId: z.string() }).safeParse(evidence).data?.changeId === changeId);
}
