// The names of a rule's fields and the texts of their values, for comparing versions.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatMoney, formatPercent } from '../../../ui/figures/format.ts';
import type { RuleValues } from './rule-values.ts';

type Name = keyof RuleValues & string;
export type FieldTexts = { labels: Record<Name, string>; show: (name: Name, values: RuleValues) => string | undefined };

/** `show` returns undefined for a value that is shown as it is. */
export function useFieldTexts(): FieldTexts {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const { language } = useFigures();
  const money = (cents: number | null) => (cents === null ? '–' : formatMoney(cents, currency, language));
  const amountOf = ({ kind }: RuleValues, { rate, amountCents }: { rate: number | null; amountCents: number | null }) =>
    kind === 'percentage' ? (rate === null ? '–' : formatPercent(rate, language)) : money(amountCents);
  const labels: Record<Name, string> = {
    name: t('field.name'),
    kind: t('field.kind'),
    rate: t('field.rate'),
    amountCents: t('field.amount'),
    earner: t('field.earner'),
    basis: t('field.basis'),
    scope: t('field.scope'),
    groupId: t('scope.group'),
    affiliateId: t('scope.affiliate'),
    item: t('field.items'),
    productId: t('item.product'),
    category: t('item.category'),
    trigger: t('field.trigger'),
    durationMonths: t('field.duration'),
    maxOccurrences: t('field.occurrences'),
    minPerOrderCents: t('sheet.minimum'),
    maxPerOrderCents: t('sheet.maximum'),
    budgetCents: t('sheet.budget'),
    budgetPeriod: t('field.budgetPeriod'),
    tierMetric: t('field.metric'),
    tierPeriod: t('field.tierPeriod'),
    tiers: t('part.tiers'),
    countryRule: t('field.countries'),
    countries: t('field.countryList'),
    customers: t('field.customers'),
    coupons: t('field.coupons'),
    orderFromCents: t('field.orderFrom'),
    orderBelowCents: t('field.orderBelow'),
    effectiveFrom: t('field.from'),
    effectiveTo: t('field.to'),
    kept: t('field.further'),
  };
  const show = (name: Name, values: RuleValues): string | undefined => {
    switch (name) {
      case 'kind':
        return t(`kind.${values.kind}`);
      case 'rate':
        return values.rate === null ? '–' : formatPercent(values.rate, language);
      case 'earner':
        return t(`earner.${values.earner}`);
      case 'basis':
        return t(`basis.${values.basis}`);
      case 'scope':
        return t(`scope.${values.scope}`);
      case 'item':
        return t(`item.${values.item}`);
      case 'groupId':
      case 'affiliateId':
      case 'productId':
        return values[name] === null ? '–' : t('other');
      case 'trigger':
        return t(`trigger.${values.trigger}`);
      case 'budgetPeriod':
      case 'tierPeriod':
        return t(`period.${values[name]}`);
      case 'tierMetric':
        return t(`metric.${values.tierMetric}`);
      case 'countryRule':
        return t(`countries.${values.countryRule}`);
      case 'customers':
        return t(`customers.${values.customers}`);
      case 'coupons':
        return t(`coupons.${values.coupons}`);
      case 'tiers':
        return (
          values.tiers
            .map((tier) => `${values.tierMetric === 'conversions' ? tier.from : money(tier.from)}: ${amountOf(values, tier)}`)
            .join(', ') || '–'
        );
      case 'kept':
        return t('conditions', { count: values.kept.conditions.length });
      default:
        return undefined;
    }
  };
  return { labels, show };
}
