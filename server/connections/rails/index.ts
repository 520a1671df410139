// TABLE OF CONTENTS: the types of payout providers. Each is defined in its own file.
import { csv } from './csv.ts';
import { externalWebhook } from './external-webhook.ts';
import { manual } from './manual.ts';
import { paypal } from './paypal.ts';
import type { RailType } from './rail.ts';
import { simulated } from './simulated.ts';
import { stripeConnect } from './stripe-connect.ts';
import { wise } from './wise.ts';

export const railTypes: readonly RailType[] = [manual, csv, paypal, wise, stripeConnect, externalWebhook, simulated];

/** The rail type that batches and providers store by this name. Throws for an unknown name. */
export function getRailType(name: string): RailType {
  const found = railTypes.find(({ type }) => type === name);
  if (!found) throw new Error(`Unknown rail type: ${name}.`);
  return found;
}

/** Whether the times of a rail are those of the program's clock: true for simulated payments only. */
export function followsProgramClock(name: string): boolean {
  return getRailType(name).followsProgramClock ?? false;
}

/** The rails that send payouts themselves, rather than a person. */
export const automaticRails: readonly string[] = railTypes.flatMap(({ type, isAutomatic }) => (isAutomatic ? [type] : []));

/** Whether a provider can pay any amount in this currency, other than the program's. */
export function canPayIn({ type, currencies }: { type: string; currencies: readonly string[] }, currency: string): boolean {
  const { convertedCurrencies } = getRailType(type);
  return (convertedCurrencies?.includes(currency) ?? true) && (currencies.length === 0 || currencies.includes(currency));
}
