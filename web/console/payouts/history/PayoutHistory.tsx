// Every payout of the program. Each row opens it in its batch.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useTable } from '../../../url/use-table.ts';
import { nameOfPayee, PayoutPhoneRow, payoutTable, usePayoutColumns, usePayoutFilters } from '../batch/payout-columns.tsx';

export function PayoutHistory() {
  const { t } = useTranslation('payouts');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(payoutTable);
  const read = useRead('payouts.list', { path: { programId }, query: { ...query, expand: 'affiliate' } });
  return (
    <DataTable
      label={t('tabs.payouts')}
      columns={usePayoutColumns()}
      rows={read.data?.payouts}
      total={read.data?.total}
      nextCursor={read.data?.nextCursor}
      exports={{ list: 'payouts', query: { ...query, expand: 'affiliate' } }}
      rowId={({ id }) => id}
      rowName={nameOfPayee}
      rowHref={({ id, batchId }) => href(`payouts/batches/${batchId}?payout=${id}`)}
      view={view}
      onViewChange={setView}
      filters={usePayoutFilters()}
      phoneRow={(row) => <PayoutPhoneRow row={row} />}
      empty={<EmptyState sample="orders" title={t('noPayouts.title')} text={t('noPayouts.text')} />}
      problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
      isRefreshing={read.isPlaceholderData}
    />
  );
}
