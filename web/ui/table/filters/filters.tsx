// Filters as chips: "Status is Pending, On hold". A chip opens its editor; the menu adds another. On phones, the menu is a
// sheet with all filters.
import { Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../icons.tsx';
import { useIsPhone } from '../../layout/use-media.ts';
import { onDemand } from '../../overlay/on-demand.tsx';
import styles from '../table.module.css';
import type { FilterDefinition, TableView } from '../table-types.ts';
import { FilterEditor } from './filter-editor.tsx';
import { useFilterText } from './use-filter-text.ts';
import { withFilter } from './with-filter.ts';

const FilterSheet = onDemand(async () => (await import('./filter-sheet.tsx')).FilterSheet);

type Props = { definitions: readonly FilterDefinition[]; view: TableView; onViewChange: (view: TableView) => void };

type MenuProps = Props & { total: number | undefined; isRefreshing: boolean };

/** The button that adds a filter. */
export function FilterMenu({ total, isRefreshing, ...props }: MenuProps) {
  return useIsPhone() ? <PhoneFilters {...props} total={total} isRefreshing={isRefreshing} /> : <WideFilters {...props} />;
}

function PhoneFilters(props: MenuProps) {
  const { t } = useTranslation('table');
  const [isOpen, setIsOpen] = useState(false);
  const count = Object.keys(props.view.filters).length;
  return (
    <>
      <Button icon="filter" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {count === 0 ? t('table.filter') : t('table.filterCount', { count })}
      </Button>
      <FilterSheet {...props} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

/** First the filter is chosen, then its value. */
function WideFilters({ definitions, view, onViewChange }: Props) {
  const { t } = useTranslation('table');
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
  const { t } = useTranslation('table');
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
  const { t } = useTranslation('table');
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
