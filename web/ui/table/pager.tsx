// Where the page is in the list, always with the exact total.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls/button.tsx';
import { useFigures } from '../figures/context.ts';
import { formatCount } from '../figures/format.ts';
import { announce } from '../overlay/announcements.ts';
import styles from './table.module.css';
import { pageSizes, type TableView } from './table-types.ts';

type Props = { view: TableView; onViewChange: (view: TableView) => void; total: number | undefined; shown: number | undefined };

export function Pager({ view, onViewChange, total, shown }: Props) {
  const { t } = useTranslation('ui');
  const { language } = useFigures();
  const first = view.page * view.pageSize;
  const last = first + (shown ?? 0);
  const text = total === undefined ? '' : rangeText(first, last, total);
  useEffect(() => {
    if (total !== undefined) announce(t('table.announceTotal', { total: formatCount(total, language) }));
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
            onClick={() => onViewChange({ ...view, page: view.page - 1 })}
          />
          <IconButton
            icon="chevronRight"
            size="small"
            label={t('table.nextPage')}
            disabled={last >= total}
            onClick={() => onViewChange({ ...view, page: view.page + 1 })}
          />
        </span>
      ) : null}
    </div>
  );
}
