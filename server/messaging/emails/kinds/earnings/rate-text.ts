// A commission as emails show it: "12.5%", "$3.00 per order", "from 10%".
import { formatCents } from '../../../../platform/lib/currency.ts';
import type { Locale } from '../../look/look.ts';

/**
 * The amount of a commission: in percent, or in cents for each order or unit. `hasTiers`: more with a higher volume. `isConditional`:
 * only for orders that meet the conditions of a rule.
 */
export type EmailedRate = ({ type: 'percentage'; rate: number } | { type: 'flat'; amountCents: number; per: 'order' | 'unit' }) & {
  hasTiers: boolean;
  isConditional?: boolean;
};

const texts = {
  en: {
    none: 'none',
    tiered: (rate: string) => `from ${rate}`,
    conditional: (rate: string) => `${rate} for certain orders`,
    per: { order: (amount: string) => `${amount} per order`, unit: (amount: string) => `${amount} per unit` },
  },
  de: {
    none: 'keine',
    tiered: (rate: string) => `ab ${rate}`,
    conditional: (rate: string) => `${rate} für bestimmte Bestellungen`,
    per: { order: (amount: string) => `${amount} pro Bestellung`, unit: (amount: string) => `${amount} pro Stück` },
  },
} satisfies Record<Locale, unknown>;

/** The text of a commission; null is none. */
export function formatRate(rate: EmailedRate | null, { currency, language }: { currency: string; language: Locale }): string {
  const words = texts[language];
  if (rate === null) return words.none;
  const amount =
    rate.type === 'percentage'
      ? new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(rate.rate / 100)
      : words.per[rate.per](formatCents(rate.amountCents, currency, { language }));
  const tiered = rate.hasTiers ? words.tiered(amount) : amount;
  return rate.isConditional ? words.conditional(tiered) : tiered;
}
