// The header row: sort by click, resize by dragging the edge or with Shift and an arrow key, select the page.
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import { announce } from '../overlay/announcements.ts';
import { nextSort, resizeColumn, sortOf, widthOf } from './columns.ts';
import { RowCheckbox } from './rows.tsx';
import { pageState, togglePage } from './selection.ts';
import styles from './table.module.css';
import type { Column, DataTableProps, FittedColumn, TableLayout } from './table-types.ts';
import { checkboxWidth } from './use-fitting-columns.ts';

type Props<Row> = DataTableProps<Row> & {
  layout: TableLayout;
  fitted: readonly FittedColumn<Row>[];
};

export function TableHead<Row>(props: Props<Row>) {
  const { fitted, selection } = props;
  return (
    <>
      <colgroup>
        {selection ? <col style={{ width: checkboxWidth }} /> : null}
        {fitted.map(({ column, width }) => (
          <col key={column.id} style={{ width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {selection ? <PageCheckbox {...props} /> : null}
          {fitted.map(({ column }) => (
            <HeaderCell key={column.id} {...props} column={column} />
          ))}
        </tr>
      </thead>
    </>
  );
}

function PageCheckbox<Row>({ rows, rowId, selection, onSelectionChange }: Props<Row>) {
  const { t } = useTranslation('table');
  const ids = rows?.map(rowId) ?? [];
  if (!selection) return null;
  const state = pageState(selection, ids);
  return (
    <th className={styles.checkCell} scope="col">
      <RowCheckbox
        label={t('table.selectPage')}
        isChecked={state === 'all' && ids.length > 0}
        isMixed={state === 'some'}
        onToggle={() => onSelectionChange?.(togglePage(selection, ids))}
      />
    </th>
  );
}

function HeaderCell<Row>({ column, view, onViewChange, layout, onLayoutChange }: Props<Row> & { column: Column<Row> }) {
  const { t } = useTranslation('table');
  const sorted = sortOf(column, view.sort);
  const resizeBy = (event: KeyboardEvent) => {
    if (!event.shiftKey || !onLayoutChange || !/^Arrow(Left|Right)$/.test(event.key)) return;
    event.preventDefault();
    const next = resizeColumn(layout, column.id, widthOf(column, layout) + (event.key === 'ArrowRight' ? 16 : -16));
    onLayoutChange(next);
    announce(t('table.width', { column: column.header, width: widthOf(column, next) }));
  };
  const sort = () => onViewChange({ ...view, sort: nextSort(column, view.sort), page: 0 });
  return (
    <th className={styles.headCell} scope="col" aria-sort={sorted} data-align={column.align}>
      {column.sort === undefined ? (
        <span className={styles.headText} data-head-text>
          {column.header}
        </span>
      ) : (
        <button type="button" className={styles.sort} onClick={sort} onKeyDown={resizeBy} data-sorted={sorted}>
          <span className={styles.headText} data-head-text>
            {column.header}
          </span>
          <Icon name={sorted === 'ascending' ? 'arrowUp' : 'arrowDown'} size={14} />
        </button>
      )}
      {onLayoutChange ? <Resizer column={column} layout={layout} onLayoutChange={onLayoutChange} /> : null}
    </th>
  );
}

type ResizerProps<Row> = { column: Column<Row>; layout: TableLayout; onLayoutChange: (layout: TableLayout) => void };

/** The edge of a column. The keyboard resizes from the header itself, so this is not a separate stop. */
function Resizer<Row>({ column, layout, onLayoutChange }: ResizerProps<Row>) {
  const [start, setStart] = useState<{ x: number; width: number } | null>(null);
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setStart({ x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? widthOf(column, layout) });
  };
  const drag = (event: PointerEvent) => {
    if (start) onLayoutChange(resizeColumn(layout, column.id, start.width + event.clientX - start.x));
  };
  return (
    <span
      className={styles.resizer}
      data-active={start === null ? undefined : true}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={() => setStart(null)}
      aria-hidden
    />
  );
}
