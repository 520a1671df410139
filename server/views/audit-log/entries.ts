// Entries of the audit log for people: with the names of their actors and subjects.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type SubjectKind, subjectKindOf, subjectKinds } from '../../platform/audit/actions.ts';
import { AuditEventShape, auditEventExample } from '../../platform/audit/list.ts';
import { centsOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';
import { findNames } from './find-names.ts';
import type { Named } from './names.ts';

const Subject = z.object({
  kind: z.enum(subjectKinds).describe('The kind of the object.'),
  name: z.string().nullable().describe('Its name; null if it has none. Email addresses are masked.'),
  affiliateId: uuidOut.nullable().describe('The affiliate to whom it belongs.'),
  amountCents: centsOut.nullable().describe('The amount of an order, a commission, a payout or a batch.'),
  currency: currencyOut.nullable().describe('The currency of the amount.'),
  dispatchedAt: timestampOut.nullable().describe('When a payout batch was dispatched, by which it is named; null for other objects.'),
});

export const AuditEntryShape = AuditEventShape.extend({
  actorName: z.string().nullable().describe('The name of the user, API key or provider; null for others and for deleted ones.'),
  subject: Subject.nullable().describe('The object that was changed; null if it no longer exists.'),
}).meta({
  id: 'AuditEntry',
  example: {
    ...auditEventExample,
    actorName: 'Store backend',
    subject: {
      kind: 'affiliate',
      name: 'Ada Lindqvist',
      affiliateId: null,
      amountCents: null,
      currency: null,
      dispatchedAt: null,
    },
  },
});

type Event = z.input<typeof AuditEventShape>;
type Entry = z.input<typeof AuditEntryShape>;

/** The entries of events that were read with `toAuditEvent`. */
export async function addNames(ctx: Context, programId: string, events: readonly Event[]): Promise<Entry[]> {
  const wanted = new Map<SubjectKind, Set<string>>();
  const want = (kind: SubjectKind | null, id: string) => {
    if (kind !== null && canonicalUuid(id) !== null) wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  };
  for (const { action, subjectId, actor } of events) {
    want(subjectKindOf(action), subjectId);
    want(actorKindOf(actor.kind), actor.id);
  }
  const names = new Map<SubjectKind, Map<string, Named>>();
  for (const [kind, ids] of wanted) names.set(kind, await findNames(ctx, programId, kind, ids));
  const find = (kind: SubjectKind | null, id: string) => (kind === null ? undefined : names.get(kind)?.get(id));
  return events.map((event) => {
    const kind = subjectKindOf(event.action);
    const found = find(kind, event.subjectId);
    const actorName = find(actorKindOf(event.actor.kind), event.actor.id)?.name ?? null;
    return Object.assign({}, event, { actorName, subject: kind === null || !found ? null : toSubject(kind, found) });
  });
}

function actorKindOf(kind: string): SubjectKind | null {
  return kind === 'user' || kind === 'api_key' || kind === 'provider' ? kind : null;
}

function toSubject(kind: SubjectKind, found: Named): z.input<typeof Subject> {
  const { name, affiliateId, amountCents, currency } = found;
  const dispatchedAt = found.dispatchedAt?.toISOString() ?? null;
  return { kind, name, affiliateId, amountCents, currency, dispatchedAt };
}
