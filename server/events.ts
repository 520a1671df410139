// TABLE OF CONTENTS: every event that integrations can receive. `GET …/events` lists them, webhooks send them.

import { commissionAdjusted, commissionCreated, commissionMatured, commissionPaid } from './earning/commissions/events.ts';
import { conversionApproved, conversionCreated, conversionHeld, conversionRejected } from './earning/commissions/orders/events.ts';
import type { EventDefinition } from './messaging/events/define.ts';
import {
  affiliateApproved,
  affiliateArchived,
  affiliateCreated,
  affiliateRejected,
  affiliateSuspended,
  affiliateUpdated,
} from './partners/affiliates/events.ts';

export const events: readonly EventDefinition[] = [
  affiliateCreated,
  affiliateApproved,
  affiliateUpdated,
  affiliateSuspended,
  affiliateRejected,
  affiliateArchived,

  conversionCreated,
  conversionHeld,
  conversionApproved,
  conversionRejected,

  commissionCreated,
  commissionMatured,
  commissionAdjusted,
  commissionPaid,
];
