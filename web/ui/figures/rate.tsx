// A commission rate with its unit: "12.5%", "$5.00 per order", "$4.00 per item".
import { useTranslation } from 'react-i18next';
import { type Language, useFigures } from './context.ts';
import styles from './figures.module.css';
import { formatMoney, formatPercent } from './format.ts';

export type RateValue = { type: 'percentage'; rate: number } | { type: 'flat'; amountCents: number; currency: string; per: RateUnit };

/** What a flat amount is earned for. */
export type RateUnit = 'order' | 'item' | 'lead';

const units = { order: 'rate.perOrder', item: 'rate.perItem', lead: 'rate.perLead' } as const;

export function Rate({ value }: { value: RateValue }) {
  const format = useRateText();
  return <span className={styles.figure}>{format(value)}</span>;
}

/** The same text for labels, sentences and options. */
export function useRateText(): (value: RateValue) => string {
  const { language } = useFigures();
  const { t } = useTranslation('ui');
  return (value) => rateText(value, language, (per, amount) => t(units[per], { amount }));
}

function rateText(value: RateValue, language: Language, flat: (per: RateUnit, amount: string) => string): string {
  if (value.type === 'percentage') return formatPercent(value.rate, language);
  return flat(value.per, formatMoney(value.amountCents, value.currency, language));
}
