// The screen Affiliates: every affiliate with their figures, found, filtered, sorted and changed.
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePrefetch, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Page } from '../../ui/layout/page.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { selectedCount } from '../../ui/table/selection.ts';
import { noSelection, type Selection, type TableView } from '../../ui/table/table-types.ts';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { affiliateTable } from './affiliate-table.ts';
import { BulkActions } from './bulk/BulkActions.tsx';
import type { BulkKind } from './bulk/bulk-change.ts';
import { SelectionSummary } from './bulk/SelectionSummary.tsx';
import { TaskBanner } from './bulk/TaskBanner.tsx';
import { Sheets } from './Sheets.tsx';
import { AffiliatePhoneRow, nameOf, type Row, useColumns } from './use-columns.tsx';
import { useDecisionKeys } from './use-decision-keys.ts';
import { useExport } from './use-export.ts';
import { useFilterDefinitions } from './use-filters.ts';
import { useLayout } from './use-layout.ts';
import { ViewTabs } from './views/ViewTabs.tsx';

const BulkSheet = onDemand(async () => (await import('./bulk/BulkSheet.tsx')).BulkSheet);

function readState(raw: RawSearch) {
  return { view: affiliateTable.read(raw), chosen: readText(raw, 'view') ?? null };
}

export function Screen() {
  const { t } = useTranslation('affiliate-table');
  const { id: programId, href, timezone, can } = useProgram();
  const [{ view, chosen }, change] = useSearchState(readState);
  const [selection, setSelection] = useState<Selection>(noSelection);
  const [bulk, setBulk] = useState<BulkKind | null>(null);
  const [taskId, setTaskId] = useState<string | null>(null);
  const [layout, setLayout] = useLayout();
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const filter = useMemo(() => affiliateTable.toFilter(view, timezone), [view, timezone]);
  const query = useMemo(() => affiliateTable.toQuery(view, timezone), [view, timezone]);
  const read = useRead('affiliateTable.list', { path: { programId }, query });
  const hasNext = (read.data?.total ?? 0) > (view.page + 1) * view.pageSize && !read.isPlaceholderData;
  const next = { ...query, offset: (view.page + 1) * view.pageSize };
  usePrefetch('affiliateTable.list', hasNext ? { path: { programId }, query: next } : null);
  const setView = useCallback(
    (next: TableView, id: string | null = chosen) => {
      setSelection(noSelection);
      change({ ...affiliateTable.toPatch(next), view: id }, { isTyping: next.search !== view.search });
    },
    [change, chosen, view.search],
  );
  const download = useExport();
  const rows = read.data?.affiliates;
  const total = read.data?.total;
  const approval = useDecisionKeys({
    rows,
    hasSelection: selectedCount(selection, total ?? 0) > 0,
    onBulkApprove: () => setBulk('approve'),
  });
  return (
    <Page title={t('title')} width="full" lede={<Lede total={total} />} actions={<Actions />}>
      <ViewTabs view={view} chosen={chosen} onChoose={setView} />
      {taskId === null ? null : <TaskBanner taskId={taskId} onEnd={() => setTaskId(null)} />}
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={total}
        exports={can('pii.export') ? { list: 'affiliates', query } : undefined}
        rowId={({ id }) => id}
        rowName={nameOf}
        rowHref={({ id }) => href(`affiliates/${id}`)}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        layout={layout}
        onLayoutChange={setLayout}
        selection={selection}
        onSelectionChange={setSelection}
        bulkActions={<BulkActions onChoose={setBulk} onExport={() => download(filter, selection)} />}
        bulkSummary={<SelectionSummary rows={rows} selection={selection} />}
        phoneRow={(row) => <AffiliatePhoneRow row={row} />}
        empty={<NoAffiliates />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      <Sheets />
      {approval}
      <BulkSheet
        isOpen={bulk !== null}
        kind={bulk}
        onClose={() => setBulk(null)}
        selection={selection}
        filter={filter}
        count={selectedCount(selection, total ?? 0)}
        name={nameSelected(rows, selection)}
        onDone={(id) => {
          setSelection(noSelection);
          setTaskId(id);
        }}
      />
    </Page>
  );
}

function Lede({ total }: { total: number | undefined }) {
  const { t } = useTranslation('affiliate-table');
  const { language } = useFigures();
  return <>{total === undefined ? '\u00a0' : t('lede', { count: total, formatted: formatCount(total, language) })}</>;
}

function Actions() {
  const { t } = useTranslation('affiliate-table');
  const { can, href } = useProgram();
  return (
    <>
      {can('affiliates.write') ? (
        <>
          <ButtonLink icon="upload" href={href('affiliates?sheet=import')}>
            {t('import')}
          </ButtonLink>
          <ButtonLink kind="primary" icon="plus" keys="c" href={href('affiliates?sheet=invite')}>
            {t('invite')}
          </ButtonLink>
        </>
      ) : null}
    </>
  );
}

/** The name of the only selected affiliate; undefined for several, and for one that isn't on this page. */
function nameSelected(rows: readonly Row[] | undefined, { ids, isAllMatching }: Selection): string | undefined {
  const row = isAllMatching || ids.length !== 1 ? undefined : rows?.find(({ id }) => id === ids[0]);
  return row && nameOf(row);
}

function NoAffiliates() {
  const { t } = useTranslation('affiliate-table');
  const { can, href } = useProgram();
  const actions = can('affiliates.write') ? (
    <>
      <ButtonLink kind="primary" href={href('affiliates?sheet=invite')}>
        {t('invite')}
      </ButtonLink>
      <ButtonLink href={href('affiliates?sheet=import')}>{t('import')}</ButtonLink>
    </>
  ) : undefined;
  return <EmptyState sample="people" title={t('empty.title')} text={t('empty.text')} actions={actions} />;
}
