// All filters of a table in one sheet, for phones. They apply while they are chosen; the button says how many results there are.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/button.tsx';
import { useFigures } from '../../figures/context.ts';
import { formatCount } from '../../figures/format.ts';
import { useSettled } from '../../form/use-settled.ts';
import { Icon } from '../../icons.tsx';
import { Sheet } from '../../overlay/sheet.tsx';
import styles from '../table.module.css';
import type { FilterDefinition, FilterValue, TableView } from '../table-types.ts';
import { type Ends, OptionList, RangeEnds, toEnds, toRange } from './filter-editor.tsx';
import { useFilterText } from './use-filter-text.ts';
import { withFilter } from './with-filter.ts';

const pauseMs = 400;

type Props = {
  definitions: readonly FilterDefinition[];
  view: TableView;
  onViewChange: (view: TableView) => void;
  total: number | undefined;
  /** The total is that of the previous filters. */
  isRefreshing: boolean;
  isOpen: boolean;
  onClose: () => void;
};

export function FilterSheet({ definitions, view, onViewChange, total, isRefreshing, isOpen, onClose }: Props) {
  const { t } = useTranslation('table');
  const { language } = useFigures();
  const pending = useRef<Pending>(new Map());
  const close = () => {
    for (const apply of pending.current.values()) apply();
    onClose();
  };
  const hasFilters = Object.keys(view.filters).length > 0;
  const isKnown = total !== undefined && !isRefreshing;
  const results = isKnown ? t('filter.results', { count: total, formatted: formatCount(total, language) }) : '\u00a0';
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('filter.title')}
      detail={<span aria-live="polite">{results}</span>}
      footer={
        <>
          <Button disabled={!hasFilters} onClick={() => onViewChange({ ...view, filters: {}, page: 0 })}>
            {t('filter.clear')}
          </Button>
          <Button kind="primary" onClick={close}>
            {isKnown ? t('filter.show', { count: total, formatted: formatCount(total, language) }) : t('filter.showAll')}
          </Button>
        </>
      }
    >
      <div className={styles.filterList}>
        {definitions.map((definition) => (
          <Section
            key={definition.id}
            definition={definition}
            value={view.filters[definition.id] ?? null}
            pending={pending.current}
            onChange={(value) => onViewChange(withFilter(view, definition.id, value))}
          />
        ))}
      </div>
    </Sheet>
  );
}

/** Applies ranges that are still being typed, by filter. */
type Pending = Map<string, () => void>;

type SectionProps = {
  definition: FilterDefinition;
  value: FilterValue | null;
  onChange: (value: FilterValue | null) => void;
  pending: Pending;
};

function Section({ definition, value, onChange, pending }: SectionProps) {
  const text = useFilterText();
  const [isOpen, setIsOpen] = useState(value !== null);
  return (
    <details className={styles.filterSection} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span>{definition.label}</span>
        {value === null ? null : (
          <span className={styles.filterValue}>
            {text.operator(value)} {text.values(definition, value)}
          </span>
        )}
        <Icon name="chevronDown" size={16} />
      </summary>
      <fieldset className={styles.editor}>
        <legend className="visually-hidden">{definition.label}</legend>
        {definition.kind === 'options' ? (
          <OptionList definition={definition} value={value} onChange={onChange} />
        ) : (
          <LiveRange definition={definition} value={value} onChange={onChange} pending={pending} />
        )}
      </fieldset>
    </details>
  );
}

type RangeProps = SectionProps & { definition: Exclude<FilterDefinition, { kind: 'options' }> };

/** Applies a moment after the last key, or when the sheet closes before. */
function LiveRange({ definition, value, onChange, pending }: RangeProps) {
  const [ends, setEnds] = useState(toEnds(value));
  const [known, setKnown] = useState(ends);
  const sent = useRef(ends);
  // The value also changes elsewhere, when filters are cleared; what was sent from here arrives while the user types on.
  const current = toEnds(value);
  if (!isEqual(current, known)) {
    setKnown(current);
    if (!isEqual(current, sent.current)) setEnds(current);
  }
  const settled = useSettled(JSON.stringify(ends), pauseMs);
  const apply = () => {
    if (isEqual(current, ends)) return;
    sent.current = ends;
    onChange(toRange(ends));
  };
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    pending.set(definition.id, () => latest.current());
  }, [pending, definition.id]);
  const isSettled = settled === JSON.stringify(ends);
  useEffect(() => {
    if (isSettled) latest.current();
  }, [isSettled]);
  return <RangeEnds definition={definition} ends={ends} onChange={setEnds} />;
}

function isEqual(one: Ends, other: Ends): boolean {
  return one.from === other.from && one.to === other.to;
}
