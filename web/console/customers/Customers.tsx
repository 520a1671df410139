// The customers of a program: which affiliate each is bound to, and why.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { oneOf, someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { useTable } from '../../url/use-table.ts';
import { CustomerSheet } from './CustomerSheet.tsx';
import { bindingReasons, CustomerPhoneRow, useColumns, useCustomerName, useFilterDefinitions } from './use-columns.tsx';

const table = tableState({
  filters: { isBound: oneOf('isBound', ['true', 'false']), boundBy: someOf('boundBy', bindingReasons) },
  sorts: ['createdAt'],
});

function readId(raw: RawSearch) {
  return readText(raw, 'customer') ?? null;
}

export function Screen() {
  const { t } = useTranslation('customers');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const [id, change] = useSearchState(readId);
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const nameOf = useCustomerName();
  const read = useRead('customerTable.list', { path: { programId }, query });
  const rows = read.data?.customers;
  const index = rows?.findIndex((row) => row.id === id) ?? -1;
  const open = (other: string | undefined) => (other === undefined ? undefined : () => change({ customer: other }));
  return (
    <Page title={t('title')} lede={t('lede')} width="full">
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        exports={{ list: 'customers', query: query }}
        rowId={(row) => row.id}
        rowName={nameOf}
        rowHref={(row) => href(`customers?customer=${row.id}`)}
        onOpen={(row) => change({ customer: row.id })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <CustomerPhoneRow row={row} />}
        empty={<NoCustomers />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      {id === null ? null : (
        <CustomerSheet
          key={id}
          id={id}
          onClose={() => change({ customer: null })}
          onPrevious={open(index > 0 ? rows?.[index - 1]?.id : undefined)}
          onNext={open(index >= 0 ? rows?.[index + 1]?.id : undefined)}
        />
      )}
    </Page>
  );
}

function NoCustomers() {
  const { t } = useTranslation('customers');
  const { href } = useProgram();
  const action = <ButtonLink href={href('conversions')}>{t('empty.action')}</ButtonLink>;
  return <EmptyState sample="people" title={t('empty.title')} text={t('empty.text')} actions={action} />;
}
