// Filters as chips: "Status is Pending, On hold". A chip opens its editor; the menu adds another.
import { Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/button.tsx';
import { useFigures } from '../../figures/context.ts';
import { formatDay } from '../../figures/dates.ts';
import { formatCount, formatMoney } from '../../figures/format.ts';
import { Icon } from '../../icons.tsx';
import styles from '../table.module.css';
import type { FilterDefinition, Filters, FilterValue, TableView } from '../table-types.ts';
import { FilterEditor } from './filter-editor.tsx';

type Props = { definitions: readonly FilterDefinition[]; view: TableView; onViewChange: (view: TableView) => void };

/** Sets or removes one filter, and returns to the first page. */
function withFilter(view: TableView, id: string, value: FilterValue | null): TableView {
  const others = Object.entries(view.filters).filter(([name]) => name !== id);
  const filters: Filters = Object.fromEntries(value === null ? others : [...others, [id, value]]);
  return { ...view, filters, page: 0 };
}

/** The button that adds a filter: first what, then which. */
export function FilterMenu({ definitions, view, onViewChange }: Props) {
  const { t } = useTranslation('ui');
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<FilterDefinition | null>(null);
  const toggle = (open: boolean) => {
    setIsOpen(open);
    setChosen(null);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={toggle}
      position="bottom-start"
      offset={4}
      width={280}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button icon="filter" keys="f" aria-expanded={isOpen} onClick={() => toggle(!isOpen)}>
          {t('table.filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('table.filter')}>
        {chosen === null ? (
          <ul className={styles.filterNames}>
            {definitions.map((definition) => (
              <li key={definition.id}>
                <button type="button" onClick={() => setChosen(definition)}>
                  {definition.label}
                  <Icon name="chevronRight" size={16} />
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <FilterEditor
            definition={chosen}
            value={view.filters[chosen.id] ?? null}
            onChange={(value) => onViewChange(withFilter(view, chosen.id, value))}
            onClose={() => toggle(false)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

export function FilterChips({ definitions, view, onViewChange }: Props) {
  const { t } = useTranslation('ui');
  const active = definitions.filter(({ id }) => view.filters[id] !== undefined);
  if (active.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t('table.activeFilters')}>
      {active.map((definition) => (
        <FilterChip key={definition.id} definition={definition} view={view} onViewChange={onViewChange} />
      ))}
      {active.length > 1 ? (
        <li>
          <Button kind="quiet" size="small" onClick={() => onViewChange({ ...view, filters: {}, page: 0 })}>
            {t('table.clearFilters')}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

function FilterChip({ definition, view, onViewChange }: Omit<Props, 'definitions'> & { definition: FilterDefinition }) {
  const { t } = useTranslation('ui');
  const text = useFilterText();
  const [isOpen, setIsOpen] = useState(false);
  const value = view.filters[definition.id];
  if (!value) return null;
  return (
    <li className={styles.chip}>
      <Popover
        opened={isOpen}
        onChange={setIsOpen}
        position="bottom-start"
        offset={4}
        trapFocus
        returnFocus
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <button type="button" className={styles.chipText} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {definition.label} <span className={styles.chipOperator}>{text.operator(value)}</span> <b>{text.values(definition, value)}</b>
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={definition.label}>
          <FilterEditor
            definition={definition}
            value={value}
            onChange={(next) => onViewChange(withFilter(view, definition.id, next))}
            onClose={() => setIsOpen(false)}
          />
        </Popover.Dropdown>
      </Popover>
      <button
        type="button"
        className={styles.chipRemove}
        aria-label={t('table.removeFilter', { name: definition.label })}
        onClick={() => onViewChange(withFilter(view, definition.id, null))}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}

/** The words of a filter. */
function useFilterText() {
  const { t } = useTranslation('ui');
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
