// Rows of a table, and their placeholders at the same height.
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import { isolated } from '../layout/isolated.tsx';
import { Link, useNavigate } from '../layout/link.tsx';
import { isSelected } from './selection.ts';
import styles from './table.module.css';
import type { DataTableProps, FittedColumn } from './table-types.ts';

type Props<Row> = DataTableProps<Row> & {
  rows: readonly Row[];
  fitted: readonly FittedColumn<Row>[];
  select: (id: string, isRange: boolean) => void;
};

export function TableRows<Row>(props: Props<Row>) {
  const { rows, rowId, view } = props;
  const first = view.page * view.pageSize + 2;
  return (
    <tbody>
      {rows.map((row, index) => (
        <TableRow key={rowId(row)} {...props} row={row} rowIndex={first + index} />
      ))}
    </tbody>
  );
}

function TableRow<Row>({
  row,
  rowIndex,
  rowId,
  rowName,
  rowHref,
  onOpen,
  columns,
  fitted,
  selection,
  select,
}: Props<Row> & { row: Row; rowIndex: number }) {
  const { t } = useTranslation('table');
  const navigate = useNavigate();
  const id = rowId(row);
  const href = rowHref(row);
  const selected = selection !== undefined && isSelected(selection, id);
  const open = (event: MouseEvent) => {
    // Links and buttons inside the row do their own work; selecting text opens nothing.
    if (event.target instanceof Element && event.target.closest('a, button, input, label')) return;
    if (getSelection()?.isCollapsed === false) return;
    if (onOpen) onOpen(row);
    else if (href !== null) navigate(href);
  };
  return (
    <tr
      className={styles.row}
      aria-rowindex={rowIndex}
      aria-selected={selection ? selected : undefined}
      data-row={id}
      data-still={href === null || undefined}
      onClick={open}
    >
      {selection ? (
        <td className={styles.checkCell}>
          <RowCheckbox
            label={t('table.selectRow', { name: rowName(row) })}
            isChecked={selected}
            onToggle={(isRange) => select(id, isRange)}
          />
        </td>
      ) : null}
      {fitted.map(({ column, below }, index) => (
        <td key={column.id} className={styles.cell} data-align={column.align}>
          <Lines row={row} below={below}>
            {index === 0 && href !== null ? (
              <Link href={href} className={styles.link} onFollow={onOpen ? () => onOpen(row) : undefined}>
                {isolated(column.cell(row))}
                {column === columns[0] && !column.isNameless ? null : <span className="visually-hidden"> {rowName(row)}</span>}
              </Link>
            ) : (
              isolated(column.cell(row))
            )}
          </Lines>
        </td>
      ))}
    </tr>
  );
}

type LinesProps<Row> = { row: Row; below: FittedColumn<Row>['below']; children: ReactNode };

/** A cell with what moved below it in a narrow table. */
function Lines<Row>({ row, below, children }: LinesProps<Row>) {
  if (below.length === 0) return children;
  return (
    <span className={styles.lines}>
      {children}
      {below.map(({ id, cell, narrow }) => (
        <span key={id} className={styles.below}>
          {isolated((narrow?.cell ?? cell)(row))}
        </span>
      ))}
    </span>
  );
}

/** Placeholders while the first page loads: the same height as rows, so that nothing moves when they arrive. */
export function SkeletonRows<Row>({
  columns,
  count,
  hasSelection,
}: {
  columns: readonly FittedColumn<Row>[];
  count: number;
  hasSelection: boolean;
}) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <tr key={row} className={styles.row} data-skeleton>
          {hasSelection ? <td className={styles.checkCell} /> : null}
          {columns.map(({ column }, index) => (
            <td key={column.id} className={styles.cell} data-align={column.align}>
              <span className={styles.bone} style={{ width: `${index === 0 ? 72 : 38 + ((row * 7 + index * 13) % 30)}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

type CheckboxProps = { label: string; isChecked: boolean; isMixed?: boolean; onToggle: (isRange: boolean) => void };

/** A checkbox without a visible label, with a target of 24 px. A click with Shift selects a range. */
export function RowCheckbox({ label, isChecked, isMixed = false, onToggle }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed;
  }, [isMixed]);
  const click = (event: MouseEvent) => {
    event.stopPropagation();
    onToggle(event.shiftKey);
  };
  return (
    <span className={styles.check}>
      <input ref={input} type="checkbox" aria-label={label} checked={isChecked} onClick={click} onChange={ignore} />
      <Icon name={isMixed ? 'minus' : 'check'} size={14} />
    </span>
  );
}

/** The click, which knows about Shift, does the work. */
function ignore(): void {}
