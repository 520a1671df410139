import { externalWebhook } from './external-webhook.ts';
import { csv, manual } from './manual.ts';
import type { RailType } from './rail.ts';

/** Every way to pay. */
export const railTypes = { manual, csv, external_webhook: externalWebhook } as Record<RailType['type'], RailType>;
