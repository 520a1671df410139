// The one table of the product. The server sorts, filters and pages; the caller keeps the view in the URL and the layout in
// the user's preferences. On phones, and where its columns don't fit, each row becomes two lines.
import { type RefObject, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../layout/use-media.ts';
import { EmptyState } from '../states/empty-state.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { isNarrowed } from './columns.ts';
import { TableHead } from './head.tsx';
import { Pager } from './pager.tsx';
import { PhoneRows } from './phone-rows.tsx';
import { SkeletonRows, TableRows } from './rows.tsx';
import { selectRange, toggleRow } from './selection.ts';
import styles from './table.module.css';
import { type DataTableProps, DensityContext, defaultLayout } from './table-types.ts';
import { Toolbar } from './toolbar.tsx';
import { useFittingColumns } from './use-fitting-columns.ts';
import { useTableKeys } from './use-table-keys.ts';

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, view, onViewChange, selection, onSelectionChange, rowId, problem } = props;
  const isPhone = useIsPhone();
  const root = useRef<HTMLDivElement>(null);
  const [anchor, setAnchor] = useState<string | null>(null);
  const pageIds = rows?.map(rowId) ?? [];
  const select = (id: string, isRange: boolean) => {
    if (!selection || !onSelectionChange) return;
    onSelectionChange(isRange ? selectRange(selection, anchor, id, pageIds) : toggleRow(selection, id, pageIds));
    setAnchor(id);
  };
  useTableKeys(root, { onSelect: select, selection, onSelectionChange });
  return (
    <div className={styles.root} ref={root} data-table>
      <Toolbar {...props} />
      {problem ?? <Body {...props} root={root} isPhone={isPhone} select={select} />}
      {problem ? null : (
        <Pager
          view={view}
          onViewChange={onViewChange}
          total={props.total}
          nextCursor={props.nextCursor}
          shown={rows?.length}
          isRefreshing={props.isRefreshing}
        />
      )}
      <BulkBar {...props} pageIds={pageIds} />
    </div>
  );
}

type BodyProps<Row> = DataTableProps<Row> & {
  root: RefObject<HTMLDivElement | null>;
  isPhone: boolean;
  select: (id: string, isRange: boolean) => void;
};

function Body<Row>(props: BodyProps<Row>) {
  const { rows, view, isPhone } = props;
  if (rows?.length === 0) return isNarrowed(view) ? <NoMatch {...props} /> : props.empty;
  return isPhone ? <PhoneRows {...props} /> : <WideRows {...props} />;
}

function WideRows<Row>(props: BodyProps<Row>) {
  const { rows, view, isRefreshing = false, columns, layout = defaultLayout, root } = props;
  const { density } = useContext(DensityContext);
  const hasSelection = props.selection !== undefined;
  const { fitted, isList } = useFittingColumns(root, { columns, layout, rows, hasSelection });
  if (isList) return <PhoneRows {...props} />;
  return (
    <section
      className={styles.scroller}
      data-density={density}
      data-refreshing={isRefreshing || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={props.label}
    >
      <table
        className={styles.table}
        aria-rowcount={props.total === undefined ? -1 : props.total + 1}
        aria-busy={isRefreshing || rows === undefined}
      >
        <TableHead {...props} layout={layout} fitted={fitted} />
        {rows === undefined ? (
          <SkeletonRows columns={fitted} count={Math.min(view.pageSize, 12)} hasSelection={hasSelection} />
        ) : (
          <TableRows {...props} rows={rows} fitted={fitted} />
        )}
      </table>
    </section>
  );
}

function NoMatch<Row>({ view, onViewChange }: DataTableProps<Row>) {
  const { t } = useTranslation('table');
  return (
    <EmptyState
      sample={null}
      title={t('table.noMatch')}
      text={t('table.noMatchText')}
      actions={
        <button type="button" className={styles.clear} onClick={() => onViewChange({ ...view, search: '', filters: {}, page: 0 })}>
          {t('table.clearFilters')}
        </button>
      }
    />
  );
}
