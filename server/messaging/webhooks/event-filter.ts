// Which events a webhook receives: by type, by a family of types, or all; optionally only those about affiliates of some groups.
import { z } from 'zod';

/** `affiliate.created`, `affiliate.*` or `*`. */
const pattern = /^(\*|[a-z][a-zA-Z]*\.(\*|[a-z][a-zA-Z]*))$/;

export const EventTypes = z
  .array(z.string().regex(pattern, 'must be an event type such as affiliate.created, a family such as affiliate.*, or *'))
  .min(1, 'must not be empty')
  .max(100, 'must not have more than 100 entries')
  .transform((types) => [...new Set(types)])
  .meta({ json: { type: 'array', items: { type: 'string', pattern: pattern.source }, minItems: 1, maxItems: 100 } });

/** The type of events that a test sends, to one webhook only. */
export const testEventType = 'test';

type Filter = { id: string; eventTypes: readonly string[]; groupIds: readonly string[] };
type Candidate = { type: string; objectId: string; groupId: string | null };

/** Whether a webhook receives an event. `groupId` is the group of the affiliate that the event is about. */
export function isWanted({ id, eventTypes, groupIds }: Filter, { type, objectId, groupId }: Candidate): boolean {
  if (type === testEventType) return objectId === id;
  const [family = ''] = type.split('.');
  const hasType = eventTypes.some((wanted) => wanted === '*' || wanted === type || wanted === `${family}.*`);
  return hasType && (groupIds.length === 0 || (groupId !== null && groupIds.includes(groupId)));
}
