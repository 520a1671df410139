// The exports that the member requested: their progress, and their files.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatCount } from '../../ui/figures/format.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Progress } from '../../ui/marks/progress.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';
import { tableState } from '../../url/table-state.ts';
import { useTable } from '../../url/use-table.ts';
import styles from './exports.module.css';
import { downloadExport } from './start-export.ts';

type Row = Result<'exports.list'>['exports'][number];

const table = tableState({ filters: {}, sorts: ['createdAt'], defaultSort: '-createdAt' });
const refreshMs = 2_000;

export function Screen() {
  const { t } = useTranslation('exports');
  const { id: programId } = useProgram();
  const { view, setView, query } = useTable(table);
  const read = useRead('exports.list', { path: { programId }, query }, { refreshMs, staleMs: 0 });
  const nameOf = ({ list }: Row) => t(`of.${list}`);
  return (
    <Page title={t('title')} lede={t('lede')} width="full">
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={read.data?.exports}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        rowId={({ id }) => id}
        rowName={nameOf}
        rowHref={() => null}
        view={view}
        onViewChange={setView}
        phoneRow={(row) => (
          <PhoneRow
            title={nameOf(row)}
            state={<State row={row} />}
            detail={<DateTime value={row.createdAt} />}
            amount={<Actions row={row} />}
          />
        )}
        empty={<EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
    </Page>
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('exports');
  return useMemo(
    () => [
      { id: 'list', header: t('list'), width: 150, cell: ({ list }) => t(`of.${list}`) },
      { id: 'status', header: t('status'), width: 220, cell: (row) => <State row={row} /> },
      { id: 'file', header: t('file'), width: 160, cell: (row) => <Actions row={row} /> },
      { id: 'rows', header: t('rows'), width: 190, narrow: { rank: 2 }, cell: ({ rows }) => t(`which.${rows}`) },
      {
        id: 'createdAt',
        header: t('requested'),
        width: 140,
        narrow: { rank: 3 },
        sort: 'createdAt',
        cell: ({ createdAt }) => <DateTime value={createdAt} />,
      },
      {
        id: 'expiresAt',
        header: t('expires'),
        width: 140,
        narrow: { rank: 1 },
        cell: (row) => (hasFile(row) ? <DateTime value={row.expiresAt} /> : '–'),
      },
    ],
    [t],
  );
}

/** Whether the export has, or had, a file. */
const hasFile = ({ status }: Row) => status === 'succeeded';

function State({ row: { status, done, total } }: { row: Row }) {
  const { t } = useTranslation('exports');
  const { language } = useFigures();
  const counts = { done: formatCount(done, language), total: formatCount(total, language) };
  if (status !== 'queued' && status !== 'running') return <>{t(`state.${status}`, counts)}</>;
  return (
    <span className={styles.state}>
      <span className={styles.progress}>
        <Progress value={done} max={total} label={t('state.running', counts)} />
      </span>
      {t('state.running', counts)}
    </span>
  );
}

function Actions({ row }: { row: Row }) {
  const { t } = useTranslation('exports');
  const { id: programId } = useProgram();
  const cancel = useAction('exports.cancel', { invalidates: ['exports.list'] });
  if (hasFile(row)) {
    return Date.parse(row.expiresAt) > Date.now() ? (
      <Button size="small" icon="download" onClick={() => void downloadExport(programId, row)}>
        {t('download')}
      </Button>
    ) : (
      t('expired')
    );
  }
  if (row.finishedAt !== null) return row.status === 'failed' ? t('again') : null;
  return (
    <Button
      size="small"
      isBusy={cancel.isPending}
      onClick={() => cancel.mutate({ path: { programId, id: row.id } }, { onError: showProblem })}
    >
      {t('cancel')}
    </Button>
  );
}
