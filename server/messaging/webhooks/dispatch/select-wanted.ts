import type { Context } from '../../../context.ts';
import { isWanted } from '../event-filter.ts';
import type { Webhook } from '../webhook.ts';

type LoggedEvent = { id: string; type: string; objectId: string; affiliateId: string | null };

/** The events that a webhook receives, in their order. */
export function selectWanted<Found extends LoggedEvent>(
  webhook: Pick<Webhook, 'id' | 'eventTypes' | 'groupIds'>,
  events: readonly Found[],
  groups: ReadonlyMap<string, string | null>,
): Found[] {
  return events.filter(({ type, objectId, affiliateId }) =>
    isWanted(webhook, { type, objectId, groupId: affiliateId === null ? null : (groups.get(affiliateId) ?? null) }),
  );
}

/** The groups of the affiliates that events are about. Only webhooks with a filter by group need them. */
export async function findGroups(
  { db }: Pick<Context, 'db'>,
  { programId, groupIds }: Pick<Webhook, 'programId' | 'groupIds'>,
  events: readonly LoggedEvent[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(events.flatMap(({ affiliateId }) => affiliateId ?? []))];
  if (groupIds.length === 0 || ids.length === 0) return new Map();
  const affiliates = db.selectFrom('affiliates').select(['id', 'groupId']).where('programId', '=', programId);
  return new Map((await affiliates.where('id', 'in', ids).execute()).map(({ id, groupId }) => [id, groupId]));
}
