import { csv } from './csv.ts';
import { externalWebhook } from './external-webhook.ts';
import { manual } from './manual.ts';
import { paypal } from './paypal.ts';
import type { RailType } from './rail.ts';
import { stripeConnect } from './stripe-connect.ts';
import { wise } from './wise.ts';

/** Every way to pay. */
export const railTypes: Record<RailType['type'], RailType> = {
  ...{ manual, csv, paypal, wise },
  ...{ stripe_connect: stripeConnect, external_webhook: externalWebhook },
};
