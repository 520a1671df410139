// Where the page is in the list, always with the exact total.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls/button.tsx';
import { useFigures } from '../figures/context.ts';
import { formatCount } from '../figures/format.ts';
import { announce } from '../overlay/announcements.ts';
import { nextPage, previousPage } from './pages.ts';
import styles from './table.module.css';
import { pageSizes, type TableView } from './table-types.ts';

type Props = {
  view: TableView;
  onViewChange: (view: TableView) => void;
  total: number | undefined;
  nextCursor: string | null | undefined;
  shown: number | undefined;
  isRefreshing: boolean | undefined;
};

export function Pager({ view, onViewChange, total: counted, nextCursor, shown, isRefreshing = false }: Props) {
  const { t } = useTranslation('table');
  const { language } = useFigures();
  const { total, cursors } = useMemory(view, counted);
  const next = nextPage(view, nextCursor);
  // While the rows of another page are shown, so is their cursor.
  const isUnknown = next === null || (next.cursor !== null && isRefreshing);
  const first = view.page * view.pageSize;
  const last = first + (shown ?? 0);
  const text = total === undefined ? '' : rangeText(first, last, total);
  useEffect(() => {
    if (total !== undefined) announce(t('table.announceTotal', { count: total, total: formatCount(total, language) }));
  }, [total, t, language]);
  if (total === 0) return null;

  function rangeText(from: number, to: number, all: number): string {
    const figures = { from: formatCount(from + 1, language), to: formatCount(to, language), total: formatCount(all, language) };
    return t('table.range', figures);
  }
  const sizes = total !== undefined && total > 25;
  return (
    <div className={styles.pager}>
      <span className={styles.range}>{text}</span>
      {sizes ? (
        <label className={styles.pageSize}>
          {t('table.rowsPerPage')}
          <select
            value={view.pageSize}
            onChange={(event) => onViewChange({ ...view, page: 0, pageSize: Number(event.currentTarget.value) })}
          >
            {pageSizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {total !== undefined && total > view.pageSize ? (
        <span className={styles.pages}>
          <IconButton
            icon="chevronLeft"
            size="small"
            label={t('table.previousPage')}
            disabled={view.page === 0}
            onClick={() => onViewChange(previousPage(view, cursors))}
          />
          <IconButton
            icon="chevronRight"
            size="small"
            label={t('table.nextPage')}
            disabled={last >= total || isUnknown}
            onClick={() => next && onViewChange(next)}
          />
        </span>
      ) : null}
    </div>
  );
}

/** The total and the cursors of the pages so far: a page that starts at a cursor may come without a total. */
function useMemory({ search, filters, sort, pageSize, page, cursor }: TableView, counted: number | undefined) {
  const list = JSON.stringify([search, filters, sort, pageSize]);
  const memory = useRef<{ list: string; total: number | undefined; cursors: Map<number, string> } | null>(null);
  if (memory.current?.list !== list) memory.current = { list, total: undefined, cursors: new Map() };
  const { current } = memory;
  if (counted !== undefined) current.total = counted;
  if (cursor !== null) current.cursors.set(page, cursor);
  return { total: cursor === null ? counted : current.total, cursors: current.cursors };
}
