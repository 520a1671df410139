// What changed fraud settings would have found among the orders of the last 30 days. The orders are checked by the code that
// checks reported orders, with the affiliates and uplines of the time of each order. Nothing is written.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { centsOut, countOut, currencyOut, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { type AffiliateAtOrder, findAffiliateAt, findAffiliates } from '../../commission-rules/earners/affiliate-at-order.ts';
import { FraudAction, FraudSettings, findOrderFraud, type OrderToCheck, type SelfReferralSettings } from '../../fraud/detect.ts';
import type { FraudKind } from '../../fraud/fraud-event.ts';
import { FraudSettingsUpdate } from '../../fraud/settings.ts';
import { findBrowsers, findSharedDevice } from '../../fraud/shared-device.ts';
import { readSettings } from '../recording/look-up.ts';
import { type PastOrder, readPastOrders } from './past-orders.ts';

const days = 30;
/** More would take longer than a user waits while editing. */
const maxOrders = 10_000;

const Check = z
  .enum(['selfReferral', 'fastOrder', 'couponWithoutClick', 'checkoutHijack', 'disposableMailbox', 'paidSearch', 'sharedDevice'])
  .meta({ id: 'FraudCheck' });
type Check = z.output<typeof Check>;
const kinds: Record<Check, FraudKind> = {
  selfReferral: 'self_referral',
  fastOrder: 'fast_order',
  couponWithoutClick: 'coupon_without_click',
  checkoutHijack: 'checkout_hijack',
  disposableMailbox: 'disposable_mailbox',
  paidSearch: 'paid_search',
  sharedDevice: 'shared_device',
};

const Effect = z
  .object({
    check: Check.describe('The setting.'),
    action: FraudAction.describe('What would have happened; `off`: nothing, so the other fields are 0.'),
    orders: countOut.describe('The orders that would have got an alert.'),
    amountCents: centsOut.describe('What these orders add up to.'),
    fraudCount: countOut.describe('How many of these orders have an alert of this kind that was resolved as `fraud`.'),
    uncheckedCount: countOut.describe('How many orders could not be checked, because they were recorded before this check existed.'),
  })
  .meta({ id: 'FraudCheckEffect' });
type Effect = z.input<typeof Effect>;

export const getFraudEffect = endpoint({
  id: 'fraudSettings.effect',
  route: 'POST /app/programs/:programId/fraud-settings/effect',
  scope: 'read',
  isUserOnly: true,
  heavy: true,
  tag: 'Fraud',
  summary: 'Try changed fraud settings on past orders',
  description:
    `Checks the credited orders of the last ${days} days with these settings; omitted ones have their stored value. At most ` +
    `${maxOrders} orders are checked, the newest first. Nothing is changed.`,
  body: FraudSettingsUpdate,
  statuses: [200],
  result: z
    .object({
      from: timestampOut.describe('Orders at or after this time were checked.'),
      checkedCount: countOut.describe('How many orders were checked.'),
      isComplete: z.boolean().describe('False if there are older orders that were not checked.'),
      currency: currencyOut,
      effects: z.array(Effect).describe('One for each check.'),
    })
    .meta({
      id: 'FraudEffect',
      example: {
        from: '2026-10-22T10:00:00.000Z',
        checkedCount: 4120,
        isComplete: true,
        currency: 'USD',
        effects: [{ check: 'fastOrder', action: 'hold', orders: 14, amountCents: 124_000, fraudCount: 2, uncheckedCount: 0 }],
      },
    }),
  handle: (ctx, { actor: { programId }, body }) => calculateEffect(ctx, programId, { changes: body, limit: maxOrders }),
});

const nothingFound = { orders: 0, amountCents: 0, fraudCount: 0, uncheckedCount: 0 };

type Trial = { changes: z.output<typeof FraudSettingsUpdate>; limit: number };

/** What the changed settings find among the newest orders, at most `limit`. */
export async function calculateEffect(ctx: Context, programId: string, { changes, limit }: Trial) {
  const { fraud: stored, hashKey, currency } = await readSettings(ctx, programId);
  const settings = { hashKey, fraud: FraudSettings.parse({ ...stored, ...changes }) };
  const from = new Date(ctx.clock.now().getTime() - days * 86_400_000);
  let effects = Check.options.map((check): Effect => ({ check, action: settings.fraud[check], ...nothingFound }));
  let checkedCount = 0;
  for await (const orders of readPastOrders(ctx, programId, from)) {
    const checked = orders.slice(0, limit - checkedCount);
    const affiliateIds = [...new Set(checked.map(({ affiliateId }) => affiliateId))];
    const visitorIds = [...new Set(checked.flatMap(({ visitorId }) => visitorId ?? []))];
    const [affiliates, browsers] = await Promise.all([
      findAffiliates(ctx, programId, affiliateIds, from),
      findBrowsers(ctx, programId, { affiliateIds, visitorIds }),
    ]);
    for (const order of checked) {
      const sharedDevice = findSharedDevice(browsers, order.affiliateId, order.visitorId);
      const found = findKinds(
        { ...order, check: { ...order.check, sharedDevice } },
        findAffiliateAt(affiliates, order.affiliateId, order.at),
        settings,
      );
      effects = addOrder(effects, order, found);
    }
    checkedCount += checked.length;
    if (checked.length < orders.length) return { from: from.toISOString(), checkedCount, isComplete: false, currency, effects };
  }
  return { from: from.toISOString(), checkedCount, isComplete: true, currency, effects };
}

type PastSubject = Pick<PastOrder, 'buyer'> & { check: OrderToCheck };

/** The kinds of alerts that would have been opened for the order. */
function findKinds({ buyer, check }: PastSubject, earner: AffiliateAtOrder | null, settings: SelfReferralSettings): Set<FraudKind> {
  const alerts = earner ? findOrderFraud({ buyer, earner, order: check }, settings) : [];
  return new Set(alerts.map(({ kind }) => kind));
}

function addOrder(effects: readonly Effect[], order: PastOrder, found: ReadonlySet<FraudKind>): Effect[] {
  const { amountCents, fraudKinds, isMailboxKnown } = order;
  return effects.map((effect) => {
    const kind = kinds[effect.check];
    const isUnknown = effect.check === 'disposableMailbox' && effect.action !== 'off' && !isMailboxKnown;
    if (isUnknown) return { ...effect, uncheckedCount: effect.uncheckedCount + 1 };
    if (!found.has(kind)) return effect;
    const fraudCount = effect.fraudCount + (fraudKinds.includes(kind) ? 1 : 0);
    return { ...effect, orders: effect.orders + 1, amountCents: effect.amountCents + amountCents, fraudCount };
  });
}
