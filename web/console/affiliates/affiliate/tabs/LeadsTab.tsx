// The leads that are credited to an affiliate, and what each earned.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Problem } from '../../../../states/problem.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Status } from '../../../../ui/marks/status.tsx';
import { EmptyState } from '../../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../../ui/table/phone-rows.tsx';
import type { Column } from '../../../../ui/table/table-types.ts';
import { tableState } from '../../../../url/table-state.ts';
import { useTable } from '../../../../url/use-table.ts';
import type { Details } from '../details.ts';

type Row = NonNullable<Read<'leads.list'>['data']>['leads'][number];

const table = tableState({ filters: {}, sorts: ['occurredAt'], defaultPageSize: 25 });

export function LeadsTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const read = useRead('leads.list', { path: { programId }, query: { ...query, affiliateId: affiliate.id } });
  const columns = useColumns();
  return (
    <DataTable
      label={t('tabs.leads')}
      columns={columns}
      rows={read.data?.leads}
      total={read.data?.total}
      nextCursor={read.data?.nextCursor}
      exports={{ list: 'leads', query: { ...query, affiliateId: affiliate.id } }}
      rowId={({ id }) => id}
      rowName={nameOf}
      rowHref={({ customerId }) => href(`customers?customer=${customerId}`)}
      view={view}
      onViewChange={setView}
      isRefreshing={read.isPlaceholderData}
      phoneRow={(row) => (
        <PhoneRow
          title={nameOf(row)}
          state={<State row={row} />}
          detail={<DateTime value={row.occurredAt} />}
          amount={<Earned row={row} />}
        />
      )}
      problem={
        read.error && !read.data ? <Problem error={read.error} what={t('tabs.leads')} onRetry={() => void read.refetch()} /> : undefined
      }
      empty={<EmptyState sample="people" title={t('leads.none')} text={t('leads.noneText')} />}
    />
  );
}

const nameOf = ({ name, externalId }: Row) => (name === null ? externalId : `${name} · ${externalId}`);

function State({ row }: { row: Row }) {
  const { t } = useTranslation('affiliate');
  const isRejected = row.status === 'rejected';
  return (
    <Status tone={isRejected ? 'reversed' : 'approved'} icon={isRejected ? 'close' : 'check'}>
      {t(`leads.${row.status}`)}
    </Status>
  );
}

/** What the affiliate earned, without what their upline did. */
function Earned({ row }: { row: Row }) {
  const own = row.commissions.filter(({ affiliateId }) => affiliateId === row.affiliateId);
  const cents = own.reduce((sum, { amountCents, reversedCents }) => sum + amountCents - reversedCents, 0);
  return <Money cents={cents} currency={row.currency} />;
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('affiliate');
  return [
    { id: 'lead', header: t('leads.lead'), width: 260, cell: nameOf },
    {
      id: 'occurredAt',
      header: t('leads.date'),
      width: 150,
      narrow: { rank: 2 },
      sort: 'occurredAt',
      sortFirst: 'descending',
      cell: (row) => <DateTime value={row.occurredAt} />,
    },
    { id: 'status', header: t('leads.status'), width: 150, cell: (row) => <State row={row} /> },
    { id: 'source', header: t('leads.source'), width: 150, narrow: { rank: 1 }, cell: (row) => t(`source.${row.attribution.method}`) },
    { id: 'commission', header: t('leads.commission'), width: 130, align: 'end', cell: (row) => <Earned row={row} /> },
  ];
}
