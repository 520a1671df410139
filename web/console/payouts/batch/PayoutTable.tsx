// The payouts of a batch. Each row opens what happened to it and what can be done.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { type Batch, isMoving } from './batch.ts';
import { PayoutSheet } from './PayoutSheet.tsx';
import { nameOfPayee, PayoutPhoneRow, payoutTable, usePayoutColumns, usePayoutFilters } from './payout-columns.tsx';

const readId = (raw: RawSearch) => readText(raw, 'payout') ?? null;

export function PayoutTable({ batch }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(payoutTable);
  const [id, change] = useSearchState(readId);
  const input = { path: { programId }, query: { ...query, batchId: batch.id, expand: 'affiliate' } };
  const read = useRead('payouts.list', input, { refreshMs: isMoving(batch) ? 4000 : 60_000 });
  const rows = read.data?.payouts;
  const index = rows?.findIndex((row) => row.id === id) ?? -1;
  const goTo = (other: string | undefined) => (other === undefined ? undefined : () => change({ payout: other }));
  return (
    <>
      <DataTable
        label={t('table')}
        columns={usePayoutColumns()}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'payouts', query: input.query }}
        rowId={(row) => row.id}
        rowName={nameOfPayee}
        rowHref={(row) => href(`payouts/batches/${batch.id}?payout=${row.id}`)}
        onOpen={(row) => change({ payout: row.id })}
        view={view}
        onViewChange={setView}
        filters={usePayoutFilters()}
        phoneRow={(row) => <PayoutPhoneRow row={row} />}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('table')} onRetry={() => void read.refetch()} /> : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
      {id === null ? null : (
        <PayoutSheet
          key={id}
          id={id}
          batch={batch}
          onClose={() => change({ payout: null })}
          onPrevious={goTo(index > 0 ? rows?.[index - 1]?.id : undefined)}
          onNext={goTo(index >= 0 ? rows?.[index + 1]?.id : undefined)}
        />
      )}
    </>
  );
}
