// The events of fraud alerts, and storing new alerts with them.
import type { Tx } from '../../context.ts';
import { defineEvent } from '../../messaging/events/define.ts';
import { recordEventsOf } from '../../messaging/events/record.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import type { Hold } from '../commissions/holds.ts';
import type { DetectedFraud } from './detect.ts';
import { FraudEventShape, toFraudEvent } from './fraud-event.ts';

const object = 'fraudEvent';
const data = FraudEventShape;

export const fraudFlagged = defineEvent({
  type: 'fraud.flagged',
  object,
  isCreation: true,
  data,
  summary: 'A fraud alert was opened and awaits a decision.',
});
export const fraudResolved = defineEvent({
  type: 'fraud.resolved',
  object,
  data,
  summary: 'A fraud alert was resolved as `legitimate` or `fraud`.',
  previous: { status: 'open' },
});

type Subject = { affiliateId: string; conversionId: string | null; leadId?: string; alerts: readonly DetectedFraud[]; actor: Actor };

/** Stores each alert for a decision. Returns the holds of those that hold a commission, by conversion or lead. */
export async function createFraudEvents(tx: Tx, programId: string, subjects: readonly Subject[]): Promise<Map<string | null, Hold[]>> {
  const events = subjects.flatMap(({ affiliateId, conversionId, leadId = null, alerts, actor }) =>
    alerts.map(({ kind, action, evidence }) => ({
      row: {
        programId,
        id: tx.ids.uuid(),
        kind,
        status: 'open',
        affiliateId,
        conversionId,
        leadId,
        evidence: { ...evidence, action },
        createdAt: tx.clock.now(),
      },
      actor,
    })),
  );
  const rows = events.map(({ row }) => row);
  const flagged = events.map(({ row, actor }) => {
    const shown = toFraudEvent({ ...row, resolutionNote: null, resolvedAt: null });
    return { event: fraudFlagged.of({ objectId: row.id, affiliateId: row.affiliateId, data: shown }), actor };
  });
  await Promise.all([insertRows(tx, 'fraudEvents', rows), recordEventsOf(tx, programId, flagged)]);
  const holding = events.flatMap(({ row }) => (row.evidence.action === 'hold' ? [row] : []));
  const bySubject = Map.groupBy(holding, ({ conversionId, leadId }) => conversionId ?? leadId);
  return new Map(
    [...bySubject].map(([subjectId, rows]) => [
      subjectId,
      rows.map(({ id, kind }): Hold => ({ cause: 'fraud_event', causeId: id, reason: kind })),
    ]),
  );
}
