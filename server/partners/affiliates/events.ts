// The events of affiliates, and how they are recorded: for any number of changed affiliates with one query and one insert.
import type { Tx } from '../../context.ts';
import { defineEvent, type EventDefinition } from '../../messaging/events/define.ts';
import { type EventOrigin, recordEvents } from '../../messaging/events/record.ts';
import { affiliateColumns, selectClicks, toAffiliate } from './affiliate.ts';
import { AffiliateDetails, findAffiliateDetails } from './expand/affiliate-details.ts';

const object = 'affiliate';
const data = AffiliateDetails;
type AffiliateEvent = EventDefinition<string, typeof data>;

export const affiliateCreated = defineEvent({
  type: 'affiliate.created',
  object,
  isCreation: true,
  data,
  summary: 'An affiliate was invited, imported or added.',
});
export const affiliateApproved = defineEvent({
  type: 'affiliate.approved',
  object,
  data,
  summary: 'An affiliate became `active`, including when it is created as `active`.',
  previous: { status: 'pending' },
});
export const affiliateUpdated = defineEvent({
  type: 'affiliate.updated',
  object,
  data,
  summary: 'Fields of an affiliate changed, such as its group, its override or its email address, or it is `pending` again.',
  previous: { groupId: null },
});
export const affiliateSuspended = defineEvent({
  type: 'affiliate.suspended',
  object,
  data,
  summary: 'An affiliate was suspended: its links no longer earn.',
  previous: { status: 'active' },
});
export const affiliateRejected = defineEvent({
  type: 'affiliate.rejected',
  object,
  data,
  summary: 'An affiliate was rejected.',
  previous: { status: 'pending' },
});
export const affiliateArchived = defineEvent({
  type: 'affiliate.archived',
  object,
  data,
  summary: 'An affiliate was archived, or left the program.',
  previous: { status: 'active' },
});

const byStatus: Record<string, AffiliateEvent> = {
  active: affiliateApproved,
  suspended: affiliateSuspended,
  rejected: affiliateRejected,
  archived: affiliateArchived,
};

/** A change of an affiliate: the fields before it; null if it was created. */
type ChangedAffiliate = { id: string; status: string; previous: Record<string, unknown> | null };

/** Records the events of changed affiliates, whose rows have been written. A new status has a separate event. */
export async function recordAffiliateEvents(tx: Tx, origin: EventOrigin, changes: readonly ChangedAffiliate[]): Promise<void> {
  if (changes.length === 0 || tx.isHistory) return;
  const affiliates = await readAffiliates(
    tx,
    origin.programId,
    changes.map(({ id }) => id),
  );
  const events = changes.flatMap((change) => {
    const affiliate = affiliates.get(change.id);
    if (!affiliate) throw new Error('A changed affiliate was not found.');
    return toEvents(change).map(({ event, previous }) =>
      event.of({ objectId: change.id, affiliateId: change.id, data: affiliate, previous }),
    );
  });
  await recordEvents(tx, origin, events);
}

/** Which events announce a change (pure). */
function toEvents({ status, previous }: ChangedAffiliate): { event: AffiliateEvent; previous: Record<string, unknown> | null }[] {
  if (previous === null) {
    const created = { event: affiliateCreated, previous: null };
    return status === 'active' ? [created, { event: affiliateApproved, previous: null }] : [created];
  }
  const { status: before, ...others } = previous;
  const named = before === undefined ? undefined : byStatus[status];
  if (!named) return [{ event: affiliateUpdated, previous }];
  const changed = { event: named, previous: { status: before } };
  return Object.keys(others).length === 0 ? [changed] : [changed, { event: affiliateUpdated, previous: others }];
}

async function readAffiliates(tx: Tx, programId: string, ids: readonly string[]) {
  const rows = await tx.db
    .selectFrom('affiliates')
    .innerJoin('programs', 'programs.id', 'affiliates.programId')
    .select(affiliateColumns.map((column) => `affiliates.${column}` as const))
    .select([selectClicks(programId), 'programs.currency'])
    .where('affiliates.programId', '=', programId)
    .where('affiliates.id', 'in', ids)
    .execute();
  const details = await findAffiliateDetails(tx, { programId, currency: rows[0]?.currency ?? '' }, ids);
  return new Map(
    rows.flatMap((row) => {
      const detail = details.get(row.id);
      return detail ? [[row.id, { ...toAffiliate(row), ...detail }] as const] : [];
    }),
  );
}
