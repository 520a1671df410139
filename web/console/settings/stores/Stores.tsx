// The stores of a program: where its orders come from, and whether they arrive.
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { loadFile } from '../../../frame/lazy-screen.tsx';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { useNavigate } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { useSearchState } from '../../../url/search-state.ts';
import { someOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { ConnectionStatus } from '../connections/ConnectionStatus.tsx';
import type { Provider } from '../connections/catalogue.ts';

const ConnectSheet = lazy(async () => ({ default: (await loadFile(() => import('../connections/ConnectSheet.tsx'))).ConnectSheet }));

const statuses = ['connected', 'needs_attention', 'disabled', 'archived'] as const;
const table = tableState({ filters: { status: someOf('status', statuses) }, sorts: ['name', 'createdAt'] });

function readState(raw: RawSearch) {
  return readText(raw, 'sheet') === 'connect';
}

export function Screen() {
  const { t } = useTranslation('connections');
  const { id: programId, can, href } = useProgram();
  const navigate = useNavigate();
  const { view, setView, query } = useTable(table);
  const [isConnecting, change] = useSearchState(readState);
  const read = useRead('providers.list', { path: { programId }, query: { ...query, kind: ['commerce'] } });
  const columns = useColumns();
  const filters: FilterDefinition[] = [
    {
      id: 'status',
      label: t('fact.status'),
      kind: 'options',
      options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
    },
  ];
  const canWrite = can('stores.write');
  const connect = (
    <Button kind="primary" icon="plus" onClick={() => change({ sheet: 'connect' })}>
      {t('store.connect')}
    </Button>
  );
  const hrefOf = (id: string) => href(`settings/stores/${id}`);
  return (
    <Page title={t('storeTitle')} lede={t('store.lede')} width="full" actions={canWrite ? connect : undefined}>
      <DataTable
        label={t('storeTitle')}
        columns={columns}
        rows={read.data?.providers}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'stores', query: { ...query, kind: ['commerce'] } }}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => hrefOf(id)}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('store.search')}
        phoneRow={(row) => <StoreRow row={row} />}
        empty={
          <EmptyState
            sample="orders"
            title={t('store.empty.title')}
            text={t('store.empty.text')}
            actions={canWrite ? connect : undefined}
          />
        }
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('store.what')} onRetry={() => void read.refetch()} /> : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
      {canWrite && isConnecting ? (
        <Suspense fallback={null}>
          <ConnectSheet kind="commerce" isOpen onClose={() => change({ sheet: null })} onConnected={(id) => navigate(hrefOf(id))} />
        </Suspense>
      ) : null}
    </Page>
  );
}

function useColumns(): Column<Provider>[] {
  const { t } = useTranslation('connections');
  return [
    { id: 'name', header: t('field.name'), width: 200, sort: 'name', sortFirst: 'ascending', cell: ({ name }) => name },
    { id: 'type', header: t('fact.type'), width: 130, cell: ({ type }) => t(`type.${type}`) },
    { id: 'status', header: t('fact.status'), width: 150, cell: ({ status }) => <ConnectionStatus status={status} /> },
    { id: 'mode', header: t('field.mode'), width: 80, narrow: { rank: 1 }, cell: ({ mode }) => t(`mode.${mode}`) },
    {
      id: 'lastEvent',
      header: t('fact.lastEvent'),
      width: 150,
      narrow: { rank: 2 },
      cell: ({ lastEventAt }) => (lastEventAt === null ? '–' : <DateTime value={lastEventAt} />),
    },
  ];
}

function StoreRow({ row }: { row: Provider }) {
  const { t } = useTranslation('connections');
  return <PhoneRow title={row.name} detail={t(`type.${row.type}`)} state={<ConnectionStatus status={row.status} />} />;
}
