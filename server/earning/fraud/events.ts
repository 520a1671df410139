// The events of fraud alerts, and storing new alerts with them.
import type { Tx } from '../../context.ts';
import { defineEvent, type NewEvent } from '../../messaging/events/define.ts';
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

/** Alerts to store. `holds`: those that hold a commission, by conversion or lead. */
type PlannedAlerts = {
  rows: ReturnType<typeof toRow>[];
  events: { event: NewEvent; actor: Actor }[];
  holds: ReadonlyMap<string | null, Hold[]>;
};

/** Stores each alert for a decision. Returns the holds of those that hold a commission, by conversion or lead. */
export async function createFraudEvents(tx: Tx, programId: string, subjects: readonly Subject[]): Promise<PlannedAlerts['holds']> {
  const planned = planFraudEvents(tx, programId, subjects);
  await storeFraudEvents(tx, programId, planned);
  return planned.holds;
}

/** The alerts of these subjects, before they are written. */
export function planFraudEvents(tx: Pick<Tx, 'ids' | 'clock'>, programId: string, subjects: readonly Subject[]): PlannedAlerts {
  const alerts = subjects.flatMap((subject) =>
    subject.alerts.map((alert) => ({ row: toRow(tx, programId, subject, alert), actor: subject.actor })),
  );
  const rows = alerts.map(({ row }) => row);
  const events = alerts.map(({ row, actor }) => {
    const data = toFraudEvent({ ...row, resolutionNote: null, resolvedAt: null });
    return { event: fraudFlagged.of({ objectId: row.id, affiliateId: row.affiliateId, data }), actor };
  });
  const holding = rows.filter(({ evidence }) => evidence.action === 'hold');
  const bySubject = Map.groupBy(holding, ({ conversionId, leadId }) => conversionId ?? leadId);
  const toHold = ({ id, kind }: (typeof rows)[number]): Hold => ({ cause: 'fraud_event', causeId: id, reason: kind });
  return { rows, events, holds: new Map([...bySubject].map(([subjectId, held]) => [subjectId, held.map(toHold)])) };
}

/** Writes planned alerts with their events. Their order or lead must be written before. */
export async function storeFraudEvents(tx: Tx, programId: string, { rows, events }: PlannedAlerts): Promise<void> {
  await Promise.all([insertRows(tx, 'fraudEvents', rows), recordEventsOf(tx, programId, events)]);
}

function toRow(
  tx: Pick<Tx, 'ids' | 'clock'>,
  programId: string,
  { affiliateId, conversionId, leadId }: Subject,
  { kind, action, evidence }: DetectedFraud,
) {
  return {
    programId,
    id: tx.ids.uuid(),
    kind,
    status: 'open',
    affiliateId,
    conversionId,
    leadId: leadId ?? null,
    evidence: { ...evidence, action },
    createdAt: tx.clock.now(),
  };
}
