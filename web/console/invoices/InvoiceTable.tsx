// Every invoice of the program and its cancellations, for the accountant: by year, kind and VAT, with an export.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useTable } from '../../url/use-table.ts';
import { InvoiceSheet } from './InvoiceSheet.tsx';
import { type Invoice, invoiceTable, readInvoiceId } from './invoice-table.ts';
import { InvoicePhoneRow, useColumns, useFilterDefinitions } from './use-columns.tsx';

export function InvoiceTable() {
  const { t } = useTranslation('invoice-list');
  const { id: programId, href } = useProgram();
  const [openId, change] = useSearchState(readInvoiceId);
  const { view, setView, query } = useTable(invoiceTable);
  const read = useRead('invoices.list', { path: { programId }, query: { ...query, expand: 'affiliate' } });
  const rows = read.data?.invoices;
  const index = rows?.findIndex(({ id }) => id === openId) ?? -1;
  const open = (row: Invoice | undefined) => (row === undefined ? undefined : () => change({ invoice: row.id }));
  return (
    <>
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'invoices', query: { ...query, expand: 'affiliate' } }}
        rowId={({ id }) => id}
        rowName={({ number }) => number}
        rowHref={({ id }) => href(`payouts?view=invoices&invoice=${id}`)}
        onOpen={({ id }) => change({ invoice: id })}
        view={view}
        onViewChange={setView}
        filters={useFilterDefinitions()}
        phoneRow={(row) => <InvoicePhoneRow row={row} />}
        empty={<NoInvoices />}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('table.what')} onRetry={() => void read.refetch()} /> : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
      {openId === null ? null : (
        <InvoiceSheet
          key={openId}
          id={openId}
          onClose={() => change({ invoice: null })}
          onPrevious={open(index > 0 ? rows?.[index - 1] : undefined)}
          onNext={open(index >= 0 ? rows?.[index + 1] : undefined)}
        />
      )}
    </>
  );
}

function NoInvoices() {
  const { t } = useTranslation('invoice-list');
  const { href, can } = useProgram();
  const settings = can('settings.write') ? <ButtonLink href={href('settings/invoices')}>{t('table.settings')}</ButtonLink> : undefined;
  return <EmptyState sample="orders" title={t('table.none')} text={t('table.noneText')} actions={settings} />;
}
