// A commission as emails show it: "12.5%", "$3.00 per order", "from 10%".
import { formatCents } from '../../../../platform/lib/currency.ts';
import type { Locale } from '../../look/look.ts';

/**
 * The amount of a commission: in percent of the order or of another affiliate's commission, or in cents for each order, unit or
 * lead. `hasTiers`: more with a higher volume. `isConditional`: only for orders or leads that meet the conditions of a rule.
 */
export type EmailedRate = (
  | { type: 'percentage'; rate: number; basis?: 'commission' }
  | { type: 'flat'; amountCents: number; per: 'order' | 'unit' | 'lead' }
) & {
  hasTiers: boolean;
  isConditional?: boolean;
};

const texts = {
  en: {
    none: 'none',
    tiered: (rate: string) => `from ${rate}`,
    conditional: { order: (rate: string) => `${rate} for certain orders`, lead: (rate: string) => `${rate} for certain leads` },
    per: {
      order: (amount: string) => `${amount} per order`,
      unit: (amount: string) => `${amount} per unit`,
      lead: (amount: string) => `${amount} per lead`,
    },
    ofCommission: (rate: string) => `${rate} of their commission`,
  },
  de: {
    none: 'keine',
    tiered: (rate: string) => `ab ${rate}`,
    conditional: {
      order: (rate: string) => `${rate} für bestimmte Bestellungen`,
      lead: (rate: string) => `${rate} für bestimmte Leads`,
    },
    per: {
      order: (amount: string) => `${amount} pro Bestellung`,
      unit: (amount: string) => `${amount} pro Stück`,
      lead: (amount: string) => `${amount} pro Lead`,
    },
    ofCommission: (rate: string) => `${rate} ihrer Provision`,
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
  const based = rate.type === 'percentage' && rate.basis === 'commission' ? words.ofCommission(amount) : amount;
  const tiered = rate.hasTiers ? words.tiered(based) : based;
  const isLead = rate.type === 'flat' && rate.per === 'lead';
  return rate.isConditional ? words.conditional[isLead ? 'lead' : 'order'](tiered) : tiered;
}
