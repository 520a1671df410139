// Recorded clicks, the newest first: what the numbers of clicks on other screens count.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { NarrowingTags } from '../../../ui/table/filters/narrowing-tags.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column } from '../../../ui/table/table-types.ts';
import { useSearchState } from '../../../url/search-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { clickTable, narrowings, readOnly } from './clicks-table.ts';

type Click = Result<'clicks.list'>['clicks'][number];

/** `onClose` is called when the file can't be loaded. */
type Props = { isOpen: boolean; onClose: () => void };

const parameters = Object.fromEntries(['view', ...narrowings].map((name) => [name, null]));

export function Clicks({ isOpen }: Props) {
  const { t } = useTranslation('insights');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(clickTable);
  const [only, change] = useSearchState(readOnly);
  const columns = useColumns();
  const read = useRead('clicks.list', { path: { programId }, query: { ...query, ...only, expand: 'affiliate' } });
  if (!isOpen) return null;
  return (
    <Page
      title={t('clicks.title')}
      lede={t('clicks.lede')}
      width="full"
      actions={<Button onClick={() => change(parameters)}>{t('clicks.close')}</Button>}
    >
      <DataTable
        label={t('clicks.title')}
        columns={columns}
        rows={read.data?.clicks}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        rowId={({ id }) => id}
        rowName={nameOf}
        rowHref={({ affiliateId }) => href(`affiliates/${affiliateId}`)}
        view={view}
        onViewChange={setView}
        filters={[{ id: 'created', label: t('clicks.column.time'), kind: 'days' }]}
        toolbarActions={<NarrowingTags names={narrowings} only={only} label={(name) => t(`clicks.only.${name}`)} onWiden={change} />}
        phoneRow={(row) => <ClickPhoneRow click={row} />}
        empty={<EmptyState sample="entries" title={t('clicks.empty.title')} text={t('clicks.empty.text')} />}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('clicks.what')} onRetry={() => void read.refetch()} /> : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
    </Page>
  );
}

const nameOf = ({ affiliate, slug }: Click): string => affiliate?.name ?? slug;

function useColumns(): Column<Click>[] {
  const { t } = useTranslation('insights');
  const text = (value: string | null | undefined) => value || '–';
  return [
    {
      id: 'time',
      header: t('clicks.column.time'),
      width: 140,
      sort: 'createdAt',
      sortFirst: 'descending',
      cell: ({ createdAt }) => <DateTime value={createdAt} />,
    },
    { id: 'affiliate', header: t('clicks.column.affiliate'), width: 180, cell: nameOf },
    { id: 'link', header: t('clicks.column.link'), width: 130, cell: ({ slug }) => text(slug) },
    { id: 'subId', header: t('clicks.column.subId'), width: 120, narrow: { rank: 3 }, cell: ({ subIds }) => text(subIds[0]) },
    { id: 'source', header: t('clicks.column.source'), width: 170, narrow: { rank: 4 }, cell: ({ referrerHost }) => text(referrerHost) },
    { id: 'country', header: t('clicks.column.country'), width: 80, narrow: { rank: 2 }, cell: ({ country }) => text(country) },
    {
      id: 'landingPage',
      header: t('clicks.column.landingPage'),
      width: 220,
      narrow: { rank: 1 },
      cell: ({ destination }) => text(destination),
    },
  ];
}

function ClickPhoneRow({ click }: { click: Click }) {
  const { slug, country, referrerHost, createdAt } = click;
  return (
    <PhoneRow
      title={<bdi>{nameOf(click)}</bdi>}
      detail={[slug, referrerHost, country].filter(Boolean).join(' · ')}
      amount={<DateTime value={createdAt} />}
    />
  );
}
