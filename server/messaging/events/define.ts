// Declares events. An event is declared beside the code that records it, and listed in server/events.ts.
import type { z } from 'zod';

/**
 * The kinds of objects that events are about. True if the first event of every object is its creation, which is then
 * always number 1, even if the object is older than the event log.
 */
export const eventObjects = {
  affiliate: true,
  group: false,
  conversion: true,
  commission: true,
  customer: false,
  lead: true,
  refund: true,
  coupon: true,
  landingPage: false,
  resource: true,
  payout: true,
  payoutBatch: false,
  invoice: true,
  rule: false,
  fraudEvent: true,
  bounty: false,
  bountySubmission: true,
  provider: false,
  domain: false,
  webhook: false,
  alert: true,
} as const;

export type EventObject = keyof typeof eventObjects;

type Declaration<Type extends string, Data extends z.ZodType> = {
  type: Type;
  object: EventObject;
  /** Whether the event is the creation of its object. Such an event is recorded once, in the transaction that inserts the object. */
  isCreation?: boolean;
  /** What the API returns for the object. */
  data: Data;
  summary: string;
  /** The fields in `previous`, in the example. */
  previous?: Record<string, unknown>;
};

/** What happened to one object. `previous` has the fields that changed, with their values before the change. */
type Occurrence<Data extends z.ZodType> = {
  objectId: string;
  data: z.input<Data>;
  previous?: Record<string, unknown> | null;
  /** The affiliate that the event is about, if any. */
  affiliateId?: string | null;
};

/** An event that has not been recorded yet. */
export type NewEvent = {
  type: string;
  object: EventObject;
  isCreation: boolean;
  objectId: string;
  affiliateId: string | null;
  data: unknown;
  previous: Record<string, unknown> | null;
};

export type EventDefinition<Type extends string = string, Data extends z.ZodType = z.ZodType> = Required<
  Omit<Declaration<Type, Data>, 'previous'>
> & {
  previous: Record<string, unknown> | null;
  /** An event of this type, for `recordEvents`. Fields that the schema does not declare are left out. */
  of(occurrence: Occurrence<Data>): NewEvent;
};

/** Declares an event. Its data has the schema of the API resource, so that integrations parse one shape. */
export function defineEvent<const Type extends string, Data extends z.ZodType>(
  declaration: Declaration<Type, Data>,
): EventDefinition<Type, Data> {
  const { type, object, data: schema, isCreation = false, previous: changed = null } = declaration;
  return {
    ...declaration,
    isCreation,
    previous: changed,
    of: ({ objectId, data, previous = null, affiliateId = null }) => ({
      type,
      object,
      isCreation,
      objectId,
      affiliateId,
      data: schema.parse(data),
      previous,
    }),
  };
}
