// Which columns are shown and in which order. Saved in the user's preferences by the caller.
import { Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../controls/button.tsx';
import { Checkbox } from '../form/choices.tsx';
import { isHidden, moveColumn, orderedColumns, toggleColumn } from './columns.ts';
import styles from './table.module.css';
import { type Column, defaultLayout, type TableLayout } from './table-types.ts';

type Props<Row> = { columns: readonly Column<Row>[]; layout: TableLayout; onLayoutChange: (layout: TableLayout) => void };

export function ColumnMenu<Row>(props: Props<Row>) {
  const { t } = useTranslation('table');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      offset={4}
      width={320}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <IconButton icon="columns" label={t('table.columns')} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('table.columns')}>
        <ColumnList {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ColumnList<Row>({ columns, layout, onLayoutChange }: Props<Row>) {
  const { t } = useTranslation('table');
  const ordered = orderedColumns(columns, layout);
  return (
    <div className={styles.editor}>
      <span className={styles.editorTitle}>{t('table.columns')}</span>
      <ul className={styles.columnList}>
        {ordered.map((column, index) => (
          <li key={column.id}>
            <Checkbox
              label={column.header}
              value={index === 0 || !isHidden(column, layout)}
              isDisabled={index === 0}
              onChange={() => onLayoutChange(toggleColumn(columns, layout, column.id))}
            />
            <span className={styles.columnMoves}>
              <IconButton
                icon="chevronUp"
                size="small"
                label={t('table.moveUp', { name: column.header })}
                disabled={index < 2}
                onClick={() => onLayoutChange(moveColumn(columns, layout, column.id, -1))}
              />
              <IconButton
                icon="chevronDown"
                size="small"
                label={t('table.moveDown', { name: column.header })}
                disabled={index === 0 || index === ordered.length - 1}
                onClick={() => onLayoutChange(moveColumn(columns, layout, column.id, 1))}
              />
            </span>
          </li>
        ))}
      </ul>
      <Button size="small" kind="quiet" icon="undo" onClick={() => onLayoutChange(defaultLayout)}>
        {t('table.resetColumns')}
      </Button>
    </div>
  );
}
