// The columns of the table of programs.
import { useTranslation } from 'react-i18next';
import { useMe } from '../../session/me.ts';
import { Change } from '../../ui/figures/change.tsx';
import { Count } from '../../ui/figures/count.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { ProgramMark } from '../../ui/marks/avatar.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';
import { TestMark } from '../shell/ProgramSwitcher.tsx';
import { type ProgramRow, readAttention } from './program-table.ts';
import styles from './programs.module.css';

const figure = { align: 'end' } as const;
/** Below this, a change in percent would mislead: $20. */
const minimumBase = 2000;

export function useProgramColumns(): Column<ProgramRow>[] {
  const { t } = useTranslation('programs');
  return [
    { id: 'name', header: t('column.program'), width: 250, cell: (row) => <Name row={row} /> },
    {
      ...figure,
      id: 'sales',
      header: t('column.sales'),
      width: 140,
      cell: ({ salesCents, currency }) => <Money cents={salesCents.value} currency={currency} />,
    },
    {
      id: 'change',
      header: t('column.change'),
      width: 130,
      narrow: { rank: 1 },
      cell: ({ salesCents: { value, previous } }) =>
        previous === null ? null : <Change current={value} previous={previous} minimumBase={minimumBase} />,
    },
    {
      ...figure,
      id: 'commissions',
      header: t('column.commissions'),
      width: 140,
      narrow: { rank: 2 },
      cell: ({ commissionsCents, currency }) => <Money cents={commissionsCents.value} currency={currency} />,
    },
    {
      ...figure,
      id: 'owed',
      header: t('column.owed'),
      width: 130,
      cell: ({ owedCents, currency }) => <Money cents={owedCents} currency={currency} />,
    },
    { id: 'tasks', header: t('column.tasks'), width: 220, narrow: { rank: 3, below: 'name' }, cell: (row) => <Tasks row={row} /> },
    { id: 'health', header: t('column.health'), width: 230, cell: (row) => <Health row={row} /> },
  ];
}

function Name({ row: { id, name, mode } }: { row: ProgramRow }) {
  const logoUrl = useMe().data?.programs.find((program) => program.id === id)?.logoUrl ?? null;
  return (
    <span className={styles.mark}>
      <ProgramMark name={name} logoUrl={logoUrl} size={24} />
      <bdi>{name}</bdi>
      {mode === 'test' ? <TestMark /> : null}
    </span>
  );
}

/** "3 · Fraud alerts to decide +2": the most urgent kind, and how many others there are. */
function Tasks({ row }: { row: ProgramRow }) {
  const { t } = useTranslation(['programs', 'overview']);
  const { task, taskCount } = readAttention(row);
  if (task === null) return <span className={styles.none}>{t('programs:noTasks')}</span>;
  return (
    <>
      <Count value={task.count} /> · {t(`overview:attention.${task.kind}`, { count: task.count })}
      {taskCount > task.count ? (
        <span className={styles.none}>
          {' +'}
          <Count value={taskCount - task.count} />
        </span>
      ) : null}
    </>
  );
}

function Health({ row }: { row: ProgramRow }) {
  const { t } = useTranslation(['programs', 'overview']);
  const { problem } = readAttention(row);
  if (problem === null)
    return (
      <Status tone="approved" icon="check">
        {t('programs:healthy')}
      </Status>
    );
  return (
    <Status tone="reversed" icon="warning">
      {t(`overview:attention.${problem.kind}`, { count: problem.count })}
    </Status>
  );
}

export function ProgramPhoneRow({ row }: { row: ProgramRow }) {
  const { problem, task } = readAttention(row);
  return (
    <PhoneRow
      title={<Name row={row} />}
      state={problem === null ? undefined : <Health row={row} />}
      detail={task === null && problem !== null ? undefined : <Tasks row={row} />}
      amount={<Money cents={row.salesCents.value} currency={row.currency} />}
    />
  );
}
