import { type DisplayedRate, formatCents, formatConversion } from '../../../../platform/lib/currency.ts';
import type { Locale } from '../../look/look.ts';

/** The amount of a payout. `exchange`: what is paid in another currency than that of `amountCents`. */
export type PayoutAmount = { amountCents: number; currency: string; exchange?: (DisplayedRate & { amountCents: number }) | null };

/** `amount`: what is paid. `explained`: the same, with what it was converted from. */
export function formatPayoutAmount({ exchange, ...owed }: PayoutAmount, language: Locale): { amount: string; explained: string } {
  const paid = exchange ?? owed;
  const amount = formatCents(paid.amountCents, paid.currency, { language });
  return { amount, explained: exchange ? `${amount} (${formatConversion(owed, exchange, language)})` : amount };
}
