// The coupons of a program: codes whose orders are credited to an affiliate, and those that look leaked.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useStatusChanges } from '../../ui/table/statuses/use-status-changes.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useTable } from '../../url/use-table.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { BulkSheet } from './BulkSheet.tsx';
import { CouponSheet } from './CouponSheet.tsx';
import { CreateSheet } from './CreateSheet.tsx';
import { couponTable, filterOf, type OpenSheet, readOpen, type Tab, tabs } from './coupon-table.ts';
import { affected } from './coupon-values.ts';
import { CouponPhoneRow, useColumns } from './use-columns.tsx';

const panelId = 'coupons-panel';

export function Screen() {
  const { t } = useTranslation('coupons');
  const { id: programId, can } = useProgram();
  const [{ tab, couponId, sheet }, change] = useSearchState(readOpen);
  const leaks = useRead('coupons.list', { path: { programId }, query: Object.assign({ limit: 1 }, filterOf('leaks')) });
  const canWrite = can('terms.write');
  const open = (next: OpenSheet | null) => change({ sheet: next });
  useShortcut({ keys: 'c', label: t('create'), isEnabled: canWrite, run: () => open('create') });
  const actions = canWrite ? <Actions onOpen={open} /> : undefined;
  return (
    <Page title={t('title')} lede={t('lede')} width="full" actions={actions}>
      <Tabs
        label={t('column.status')}
        tabs={tabs.map((id) => ({
          id,
          label: t(`tabs.${id}`),
          count: id === 'leaks' ? leaks.data?.total || undefined : undefined,
          hasAttention: id === 'leaks',
        }))}
        value={tab}
        onChange={(next) => change({ tab: next === 'active' ? null : next, page: null })}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`tabs.${tab}`)}>
        <CouponTable key={tab} tab={tab} emptyActions={actions} />
      </div>
      {canWrite ? <CreateSheet isOpen={sheet === 'create'} onClose={() => open(null)} /> : null}
      {canWrite && sheet === 'bulk' ? <BulkSheet onClose={() => open(null)} /> : null}
      {couponId === null ? null : <CouponSheet key={couponId} id={couponId} onClose={() => change({ coupon: null })} />}
    </Page>
  );
}

function CouponTable({ tab, emptyActions }: { tab: Tab; emptyActions: ReactNode }) {
  const { t } = useTranslation('coupons');
  const { id: programId, href } = useProgram();
  const [, change] = useSearchState(readOpen);
  const { view, setView, query } = useTable(couponTable);
  const columns = useColumns();
  const filter = Object.assign({ expand: 'affiliate' }, query, filterOf(tab));
  const read = useRead('coupons.list', { path: { programId }, query: filter });
  const rows = read.data?.coupons;
  const { tableProps, clear } = useCouponStatuses(tab, rows);
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={rows}
      total={read.data?.total}
      nextCursor={read.data?.nextCursor}
      exports={{ list: 'coupons', query: filter }}
      rowId={({ id }) => id}
      rowName={({ code }) => code}
      rowHref={({ id }) => href(`coupons?coupon=${id}`)}
      onOpen={({ id }) => change({ coupon: id })}
      view={view}
      onViewChange={(next) => {
        clear();
        setView(next);
      }}
      searchLabel={t('search')}
      phoneRow={(row) => <CouponPhoneRow row={row} />}
      empty={
        <EmptyState
          sample="rules"
          title={t(`empty.${tab}`)}
          text={t(`emptyText.${tab}`)}
          actions={tab === 'active' ? emptyActions : undefined}
        />
      }
      problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
      isRefreshing={read.isPlaceholderData}
      {...tableProps}
    />
  );
}

/** The selected coupons are disabled, or restored if they are. */
function useCouponStatuses(tab: Tab, rows: readonly { id: string; code: string }[] | undefined) {
  const { t } = useTranslation('coupons');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const { mutateAsync } = useAction('coupons.setStatuses', { invalidates: affected });
  const status = tab === 'archived' ? ('active' as const) : ('archived' as const);
  return useStatusChanges<'active' | 'archived'>({
    isEnabled: can('terms.write'),
    action: status === 'active' ? { status, label: t('restore'), icon: 'check' } : { status, label: t('disable'), icon: 'archive' },
    apply: (changes) => mutateAsync({ path: { programId }, body: { changes } }),
    nameOf: (id) => rows?.find((row) => row.id === id)?.code,
    describe: (count) => t(`changedMany.${status}`, { count, formatted: formatCount(count, language) }),
  });
}

function Actions({ onOpen }: { onOpen: (sheet: OpenSheet) => void }) {
  const { t } = useTranslation('coupons');
  return (
    <>
      <Button icon="affiliates" onClick={() => onOpen('bulk')}>
        {t('bulk.action')}
      </Button>
      <Button kind="primary" icon="plus" keys="c" onClick={() => onOpen('create')}>
        {t('create')}
      </Button>
    </>
  );
}
