// The names of a rule's fields and the texts of their values, for comparing versions.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatMoney, formatPercent } from '../../../ui/figures/format.ts';
import { useCountries } from '../../../ui/form/countries.ts';
import type { RuleValues } from './rule-values.ts';

type Name = keyof RuleValues & string;
export type FieldTexts = { labels: Record<Name, string>; show: (name: Name, values: RuleValues) => string | undefined };

const labelKeys = {
  name: 'field.name',
  kind: 'field.kind',
  rate: 'field.rate',
  amountCents: 'field.amount',
  earner: 'field.earner',
  basis: 'field.basis',
  scope: 'field.scope',
  groupId: 'scope.group',
  affiliateId: 'scope.affiliate',
  item: 'field.items',
  productId: 'item.product',
  category: 'item.category',
  trigger: 'field.trigger',
  durationMonths: 'field.duration',
  maxOccurrences: 'field.occurrences',
  minPerOrderCents: 'sheet.minimum',
  maxPerOrderCents: 'sheet.maximum',
  budgetCents: 'sheet.budget',
  budgetPeriod: 'field.budgetPeriod',
  tierMetric: 'field.metric',
  tierPeriod: 'field.tierPeriod',
  tiers: 'part.tiers',
  countryRule: 'field.countries',
  countries: 'field.countryList',
  customers: 'field.customers',
  coupons: 'field.coupons',
  orderFromCents: 'field.orderFrom',
  orderBelowCents: 'field.orderBelow',
  effectiveFrom: 'field.from',
  effectiveTo: 'field.to',
  kept: 'field.further',
} as const satisfies Record<Name, string>;

/** The names of affiliates, groups and products by their ids. */
export type Names = ReadonlyMap<string, string>;

const noNames: Names = new Map();

/** `show` returns undefined for a value that is shown as it is. */
export function useFieldTexts(names = noNames): FieldTexts {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const { language } = useFigures();
  const countries = new Map(useCountries().map(({ value, label }) => [value, label]));
  const money = (cents: number | null) => (cents === null ? '–' : formatMoney(cents, currency, language));
  const percent = (rate: number | null) => (rate === null ? '–' : formatPercent(rate, language));
  const labels = Object.fromEntries(Object.entries(labelKeys).map(([name, key]) => [name, t(key)])) as Record<Name, string>;
  const showTiers = ({ tiers, kind, tierMetric }: RuleValues) =>
    tiers.map(({ from, rate, amountCents }) => {
      const reached = tierMetric === 'conversions' ? String(from) : money(from);
      return t('tierFrom', { reached, pays: kind === 'percentage' ? percent(rate) : money(amountCents) });
    });
  const show = (name: Name, values: RuleValues): string | undefined => {
    switch (name) {
      case 'kind':
        return t(`kind.${values.kind}`);
      case 'rate':
        return percent(values.rate);
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
        return values[name] === null ? '–' : (names.get(values[name]) ?? t('other'));
      case 'trigger':
        return t(`trigger.${values.trigger}`);
      case 'tiers':
        return showTiers(values).join(', ') || '–';
      case 'countries':
        return values.countries.map((code) => countries.get(code) ?? code).join(', ') || '–';
      case 'kept':
        return t('conditions', { count: values.kept.conditions.length });
      default:
        return showChoice(name, values, t);
    }
  };
  return { labels, show };
}

function showChoice(name: Name, values: RuleValues, t: ReturnType<typeof useTranslation<'rules'>>['t']): string | undefined {
  switch (name) {
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
    default:
      return undefined;
  }
}
