import { useTranslation } from 'react-i18next';
import { useFigures } from '../../figures/context.ts';
import { formatDay } from '../../figures/dates.ts';
import { formatCount, formatMoney } from '../../figures/format.ts';
import type { FilterDefinition, FilterValue } from '../table-types.ts';

/** The text of a filter. */
export function useFilterText() {
  const { t } = useTranslation('table');
  const { language, now } = useFigures();
  const end = (definition: FilterDefinition, text: string) => {
    if (definition.kind === 'amount') return formatMoney(Number(text), definition.currency, language);
    return definition.kind === 'days' ? formatDay(text, language, now) : formatCount(Number(text), language);
  };
  const range = (definition: FilterDefinition, from: string | null, to: string | null) => {
    if (from !== null && to !== null) return t('filter.fromTo', { from: end(definition, from), to: end(definition, to) });
    return end(definition, from ?? to ?? '');
  };
  return {
    operator: (value: FilterValue) => {
      if (value.kind === 'options') return t(value.operator === 'is' ? 'filter.is' : 'filter.isNot');
      if (value.from !== null && value.to !== null) return t('filter.between');
      return t(value.from === null ? 'filter.atMost' : 'filter.atLeast');
    },
    values: (definition: FilterDefinition, value: FilterValue) => {
      if (value.kind === 'range') return range(definition, value.from, value.to);
      const options = definition.kind === 'options' ? definition.options : [];
      const labels = value.values.map((each) => options.find((option) => option.value === each)?.label ?? each);
      return labels.length > 3 ? t('filter.count', { count: labels.length }) : labels.join(', ');
    },
  };
}
