// Above the rows: search, filters with their chips, columns, and what the screen adds.
import { useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls/button.tsx';
import { TextInput } from '../form/fields.tsx';
import { Icon } from '../icons.tsx';
import { useIsPhone } from '../layout/use-media.ts';
import { Kbd } from '../marks/kbd.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { ExportMenu } from './export/export-menu.tsx';
import { FilterChips, FilterMenu } from './filters/filters.tsx';
import styles from './table.module.css';
import { type DataTableProps, DensityContext, defaultLayout, type TableView } from './table-types.ts';

const searchDelayMs = 250;

export function Toolbar<Row>(props: DataTableProps<Row>) {
  const { view, onViewChange, filters = [], searchLabel, columns, layout = defaultLayout, onLayoutChange, toolbarActions } = props;
  const isEmpty = searchLabel === undefined && filters.length === 0 && !onLayoutChange && toolbarActions === undefined && !props.exports;
  if (isEmpty) return null;
  return (
    <div className={styles.toolbar}>
      {searchLabel === undefined ? null : <Search label={searchLabel} view={view} onViewChange={onViewChange} />}
      {filters.length === 0 ? null : (
        <FilterMenu
          definitions={filters}
          view={view}
          onViewChange={onViewChange}
          total={props.total}
          isRefreshing={props.isRefreshing ?? false}
        />
      )}
      <FilterChips definitions={filters} view={view} onViewChange={onViewChange} />
      <span className={styles.toolbarEnd}>
        <DensityButton />
        {onLayoutChange ? <ColumnMenu columns={columns} layout={layout} onLayoutChange={onLayoutChange} /> : null}
        {props.exports ? (
          <ExportMenu exports={props.exports} shown={props.rows?.length ?? 0} total={props.total} selection={props.selection} />
        ) : null}
        {toolbarActions}
      </span>
    </div>
  );
}

function DensityButton() {
  const { t } = useTranslation('table');
  const { density, setDensity } = useContext(DensityContext);
  const isPhone = useIsPhone();
  if (!setDensity || isPhone) return null;
  const isCompact = density === 'compact';
  return (
    <IconButton
      icon="density"
      label={t('table.compactRows')}
      isPressed={isCompact}
      onClick={() => setDensity(isCompact ? 'comfortable' : 'compact')}
    />
  );
}

type SearchProps = { label: string; view: TableView; onViewChange: (view: TableView) => void };

/** Searches a moment after the last key. The field leads; a change from elsewhere (Back, a saved view) replaces its text. */
function Search({ label, view, onViewChange }: SearchProps) {
  const { t } = useTranslation('table');
  const [text, setText] = useState(view.search);
  const [known, setKnown] = useState(view.search);
  if (known !== view.search) {
    setKnown(view.search);
    setText(view.search);
  }
  useEffect(() => {
    if (text === known) return;
    const timer = setTimeout(() => {
      setKnown(text);
      onViewChange({ ...view, search: text, page: 0 });
    }, searchDelayMs);
    return () => clearTimeout(timer);
  }, [text, known, view, onViewChange]);
  return (
    <span className={styles.search}>
      <TextInput
        label={label}
        isLabelHidden
        type="search"
        placeholder={t('table.search')}
        value={text}
        onChange={setText}
        before={<Icon name="search" size={16} />}
        after={
          text === '' ? (
            <span className={styles.searchKey}>
              <Kbd keys="/" />
            </span>
          ) : undefined
        }
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </span>
  );
}
