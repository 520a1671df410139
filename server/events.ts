// TABLE OF CONTENTS: every event that integrations can receive. `GET …/events` lists them, webhooks send them.

import type { EventDefinition } from './messaging/events/define.ts';
import { webhookTested } from './messaging/webhooks/deliveries/test-event.ts';
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
  webhookTested,
];
