// What awaits a decision in any program, oldest first. A row opens the inbox of its program at this item.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useMe } from '../../session/me.ts';
import { Problem } from '../../states/problem.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../ui/table/table-types.ts';
import { useTable } from '../../url/use-table.ts';
import { ReviewFact } from '../review/ReviewFact.tsx';
import { reviewKinds, reviewTable } from './program-table.ts';

type Item = Result<'programReviews.list'>['items'][number];

const refreshMs = 30_000;

/** Whose it is, or the id of the order. */
const nameOf = (item: Item) => (item.kind === 'page' ? item.affiliateName : item.title);

export function AllReviews() {
  const { t } = useTranslation('programs');
  const { view, setView, query } = useTable(reviewTable);
  const read = useRead('programReviews.list', { query }, { refreshMs });
  const columns = useColumns();
  return (
    <DataTable
      label={t('review.title')}
      columns={columns}
      rows={read.data?.items}
      total={read.data?.total}
      rowId={({ kind, id }) => `${kind}:${id}`}
      rowName={nameOf}
      rowHref={({ programId, id }) => `/console/${programId}/review?item=${id}`}
      view={view}
      onViewChange={setView}
      filters={useFilters()}
      phoneRow={(item) => (
        <PhoneRow
          title={nameOf(item)}
          state={item.programName}
          detail={<ReviewFact item={item} />}
          amount={<DateTime value={item.since} />}
        />
      )}
      empty={<EmptyState sample="decision" title={t('review.none')} text={t('review.noneText')} />}
      problem={
        read.error && !read.data ? <Problem error={read.error} what={t('review.what')} onRetry={() => void read.refetch()} /> : undefined
      }
      isRefreshing={read.isPlaceholderData}
    />
  );
}

function useColumns(): Column<Item>[] {
  const { t } = useTranslation('programs');
  return [
    { id: 'name', header: t('review.column.what'), width: 220, cell: (item) => <bdi>{nameOf(item)}</bdi> },
    {
      id: 'program',
      header: t('column.program'),
      width: 200,
      narrow: { rank: 1, below: 'name' },
      cell: ({ programName }) => <bdi>{programName}</bdi>,
    },
    { id: 'fact', header: t('review.column.reason'), width: 320, cell: (item) => <ReviewFact item={item} /> },
    { id: 'since', header: t('review.column.since'), width: 150, cell: ({ since }) => <DateTime value={since} /> },
  ];
}

function useFilters(): FilterDefinition[] {
  const { t } = useTranslation(['programs', 'review']);
  const programs = useMe().data?.programs ?? [];
  return [
    {
      id: 'kind',
      label: t('programs:review.kind'),
      kind: 'options',
      options: reviewKinds.map((value) => ({ value, label: t(`review:kinds.${value}`) })),
    },
    {
      id: 'programId',
      label: t('programs:column.program'),
      kind: 'options',
      options: programs.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
}
