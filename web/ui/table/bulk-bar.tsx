// The bar for selected rows: how many, what they add up to, and what can be done with them.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../controls/button.tsx';
import { useFigures } from '../figures/context.ts';
import { formatCount } from '../figures/format.ts';
import { pageState, selectedCount } from './selection.ts';
import styles from './table.module.css';
import { noSelection, type Selection } from './table-types.ts';

type Props = {
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
  total: number | undefined;
  pageIds: readonly string[];
  canSelectAllMatching?: boolean;
  bulkActions?: ReactNode;
  bulkSummary?: ReactNode;
};

export function BulkBar(props: Props) {
  const { selection, onSelectionChange, total = 0, pageIds, canSelectAllMatching = true, bulkActions, bulkSummary } = props;
  const { t } = useTranslation('table');
  const { language } = useFigures();
  if (!selection || !onSelectionChange) return null;
  const count = selectedCount(selection, total);
  if (count === 0) return null;
  const canSelectAll = canSelectAllMatching && !selection.isAllMatching && pageState(selection, pageIds) === 'all' && total > count;
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('table.bulk')}>
      <span className={styles.bulkCount}>{t('table.selected', { count, formatted: formatCount(count, language) })}</span>
      {bulkSummary === undefined ? null : <span className={styles.bulkSummary}>{bulkSummary}</span>}
      {canSelectAll ? (
        <Button size="small" kind="quiet" onClick={() => onSelectionChange({ ids: [], isAllMatching: true })}>
          {t('table.selectAll', { total: formatCount(total, language) })}
        </Button>
      ) : null}
      <span className={styles.bulkActions}>{bulkActions}</span>
      <IconButton
        icon="close"
        size="small"
        label={t('table.clearSelection')}
        keys="Escape"
        onClick={() => onSelectionChange(noSelection)}
      />
    </div>
  );
}
