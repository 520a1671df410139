// A change of a recorded order: its row, the audit entry and the event, and the response that all three kinds share.

import { z } from 'zod';
import type { Tx } from '../../context.ts';
import type { NewEvent } from '../../messaging/events/define.ts';
import { recordEvent } from '../../messaging/events/record.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { recordValues } from '../../platform/db/recorded-values.ts';
import { rehearse } from '../../platform/db/rehearse.ts';
import { centsOut, currencyOut, paragraph, uuidOut } from '../../platform/http/declaration/fields.ts';
import { exampleOf } from '../../platform/http/openapi/schemas.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type Row, toAccount } from '../commissions/commission.ts';
import type { RecordedOrder } from '../conversions/changing/recorded-order.ts';
import { type Conversion, ConversionShape } from '../orders/conversion-shape.ts';
import { readConversions } from '../orders/read-conversions.ts';
import { conversionCancelled, conversionIncreased, conversionMoved } from './events.ts';

export const note = paragraph(1000).describe('Why the order is changed. The explanation of the order shows it.');
export const dryRun = z.boolean().default(false).describe('Returns what the change would do without recording it.');

const Adjustment = z
  .object({
    commissionId: uuidOut.nullable().describe('Null for a new commission in a dry run.'),
    affiliateId: uuidOut,
    level: z.int(),
    amountCents: centsOut.describe('What the affiliate earns; below 0, what is reversed.'),
    effect: z
      .enum(['earned', 'reduced_pending', 'reduced_available', 'carried_forward', 'restored'])
      .describe('`carried_forward`: the commission was already paid, and the next payout nets the amount.'),
  })
  .meta({ id: 'OrderChangeAdjustment' });
export type Adjustment = z.input<typeof Adjustment>;

export const OrderChange = z
  .object({
    id: uuidOut.nullable().describe('The id of the change in the explanation; null for a dry run.'),
    conversion: ConversionShape.describe('The order after the change.'),
    adjustments: z.array(Adjustment).describe('What changes for each affiliate.'),
    currency: currencyOut,
  })
  .meta({
    id: 'OrderChange',
    example: {
      id: '01980a5c-9f1e-7a2b-8c3d-4e5f6a7b8c9d',
      conversion: exampleOf(ConversionShape),
      currency: 'USD',
      adjustments: [
        {
          commissionId: '01980a54-1c23-7d11-a2b3-8c7d6e5f4a3b',
          affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
          level: 1,
          amountCents: 498,
          effect: 'earned',
        },
      ],
    },
  });
type Changed = Omit<z.input<typeof OrderChange>, 'currency'>;

/** What every change is asked for. */
export type Requested = { conversionId: string; actor: Actor; note: string | null };

type Kind = 'moved' | 'increased' | 'cancelled';
const events = { moved: conversionMoved, increased: conversionIncreased, cancelled: conversionCancelled };

export type NewChange = {
  id: string;
  kind: Kind;
  externalId?: string;
  toAffiliateId?: string;
  amountCents: number;
  before?: Record<string, unknown>;
};

/** Records the change after its money was posted: the row, the audit entry and the event. Returns the order as it is now. */
export async function recordOrderChange(
  tx: Tx,
  programId: string,
  { order, change, requested }: { order: RecordedOrder; change: NewChange; requested: Requested },
): Promise<Conversion> {
  const { actor, note: text } = requested;
  const { id, kind, externalId = null, toAffiliateId = null, amountCents, before = null } = change;
  const row = { programId, id, conversionId: order.id, kind, externalId, toAffiliateId, amountCents, note: text };
  await tx.db
    .insertInto('orderChanges')
    .values({
      ...row,
      fromAffiliateId: kind === 'moved' ? order.affiliateId : null,
      before: before === null ? null : JSON.stringify(before),
      actorKind: actor.kind,
      actorId: actor.id,
      createdAt: tx.clock.now(),
    })
    .execute();
  await recordValues(tx, 'order_changes', programId, [id]);
  const [conversion] = await readConversions(tx, programId, [order.id]);
  if (!conversion) throw new Error('The changed order no longer exists.');
  const { affiliateId, amountCents: total, refundedCents } = conversion;
  await recordChange(tx, {
    programId,
    actor,
    action: `conversion.${kind}`,
    subjectId: order.id,
    before: { affiliateId: order.affiliateId, amountCents: order.amountCents, refundedCents: order.refundedCents },
    after: { affiliateId, amountCents: total, refundedCents, note: text },
  });
  await recordEvent(tx, { programId, actor }, toEvent(kind, order, conversion));
  return conversion;
}

function toEvent(kind: Kind, order: RecordedOrder, conversion: Conversion): NewEvent {
  const previous = {
    moved: { affiliateId: order.affiliateId },
    increased: { amountCents: order.amountCents },
    cancelled: { refundedCents: order.refundedCents },
  }[kind];
  return events[kind].of({ objectId: order.id, affiliateId: conversion.affiliateId, data: conversion, previous });
}

/** Runs the change, or rehearses it: then nothing is recorded, and new objects have no id. */
export async function changeOrder(tx: Tx, isRehearsal: boolean, work: (tx: Tx) => Promise<Changed>): Promise<z.input<typeof OrderChange>> {
  const { id, conversion, adjustments } = isRehearsal ? await rehearse(tx, work) : await work(tx);
  const { currency } = conversion;
  if (!isRehearsal) return { id, conversion, adjustments, currency };
  const withoutId = adjustments.map((one) => ({ ...one, commissionId: one.effect === 'earned' ? null : one.commissionId }));
  return { id: null, conversion, adjustments: withoutId, currency };
}

/** The reversal of a commission, from its row before the change. */
export function toReversal(row: Row, cents: number): Adjustment {
  const { id: commissionId, affiliateId, level } = row;
  const unpaid = toAccount(row.status) === 'pending' ? 'reduced_pending' : 'reduced_available';
  const effect = cents < 0 ? 'restored' : row.settledCents > 0 ? 'carried_forward' : unpaid;
  return { commissionId, affiliateId, level, amountCents: -cents, effect };
}

/** What a new commission pays after earlier refunds of its lines. */
export function toEarned(row: Pick<Row, 'id' | 'affiliateId' | 'level'>, cents: number): Adjustment {
  return { commissionId: row.id, affiliateId: row.affiliateId, level: row.level, amountCents: cents, effect: 'earned' };
}
