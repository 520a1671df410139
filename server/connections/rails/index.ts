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

/** What is known of a rail by its name, as batches and providers keep it. Throws for a name that is none. */
export function railTypeOf(name: string): RailType {
  const found = Object.values(railTypes).find(({ type }) => type === name);
  if (!found) throw new Error(`There is no rail of type ${name}.`);
  return found;
}

/** The rails that pay without a person. */
export const automaticRails: readonly RailType['type'][] = Object.values(railTypes).flatMap(({ type, isAutomatic }) =>
  isAutomatic ? [type] : [],
);
