// TABLE OF CONTENTS: what members can be notified of, who can act on it, and what they get unless they choose otherwise.
import { z } from 'zod';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import { notifiedKinds } from '../emails/kinds/members/notifications.ts';

export const NotificationKind = z
  .enum(notifiedKinds)
  .describe(
    '`application`: an affiliate applied. `page`: a page awaits a review. `content`: content for a bounty awaits a decision. ' +
      '`fraud_alert`: an order is suspicious. `large_order`: an order of at least `largeOrderCents` of the program was credited. ' +
      '`payout_approval`: a payout batch awaits approval. `payout_sent`: the payouts of a batch are sent, or ready to be paid manually. ' +
      '`payout_batch_failed`: a batch ended with failed payouts. `payout_failed`: a payout failed. `payout_problem`: payouts are locked, ' +
      'or their outcome is unknown. `connection`: a store or payout provider stopped working.',
  )
  .meta({ id: 'NotificationKind' });
export type NotificationKind = z.infer<typeof NotificationKind>;

export const NotificationDelivery = z
  .enum(['at_once', 'daily', 'off'])
  .describe('`daily`: in one email each morning.')
  .meta({ id: 'NotificationDelivery' });
export type NotificationDelivery = z.infer<typeof NotificationDelivery>;

type Kind = {
  /** Only members with one of these permissions are notified. */
  permissions: readonly Permission[];
  delivery: NotificationDelivery;
};

/** By default, emails are sent about what keeps money from being paid or recorded. */
export const kinds: Record<NotificationKind, Kind> = {
  application: { permissions: ['affiliates.write'], delivery: 'off' },
  page: { permissions: ['pages.review'], delivery: 'off' },
  content: { permissions: ['claims.decide'], delivery: 'off' },
  fraud_alert: { permissions: ['fraud.decide'], delivery: 'off' },
  large_order: { permissions: ['conversions.write'], delivery: 'off' },
  payout_approval: { permissions: ['payouts.approve'], delivery: 'at_once' },
  payout_sent: { permissions: ['payouts.reconcile'], delivery: 'off' },
  payout_batch_failed: { permissions: ['payouts.reconcile'], delivery: 'off' },
  payout_failed: { permissions: ['payouts.reconcile'], delivery: 'at_once' },
  payout_problem: { permissions: ['payouts.reconcile'], delivery: 'at_once' },
  connection: { permissions: ['stores.write', 'payout_providers.write'], delivery: 'at_once' },
};
