// Every commission by its state. A row opens its history; selected ones are held or released together.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { NarrowingTags } from '../../ui/table/filters/narrowing-tags.tsx';
import { noSelection, type Selection } from '../../ui/table/table-types.ts';
import { useSearchState } from '../../url/search-state.ts';
import { useTable } from '../../url/use-table.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { BonusSheet } from './BonusSheet.tsx';
import { BulkActions, type BulkChange, BulkSheet, SelectionSum } from './BulkSheet.tsx';
import { CommissionSheet } from './CommissionSheet.tsx';
import { commissionTable, narrowings, readPlace, statusesOf, type View, views } from './commission-table.ts';
import { CommissionPhoneRow, useColumns, useFilterDefinitions, useRowName } from './use-columns.tsx';

const panelId = 'commissions-panel';

export function Screen() {
  const { t } = useTranslation('commissions');
  const { t: tUi } = useTranslation('ui');
  const { can } = useProgram();
  const [place, change] = useSearchState(readPlace);
  const canWrite = can('commissions.write');
  const grant = () => change({ sheet: 'bonus' });
  useShortcut({ keys: 'c', label: t('grant'), isEnabled: canWrite, run: grant });
  const actions = canWrite ? (
    <Button kind="primary" icon="plus" onClick={grant}>
      {t('grant')}
    </Button>
  ) : undefined;
  const choose = (view: View) => change({ view: view === 'all' ? null : view, page: null });
  return (
    <Page title={t('title')} lede={t('lede')} width="full" actions={actions}>
      <Tabs
        label={t('views')}
        tabs={views.map((id) => ({ id, label: id === 'all' ? t('all') : tUi(`money.${id}`) }))}
        value={place.view}
        onChange={choose}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={place.view === 'all' ? t('all') : tUi(`money.${place.view}`)}>
        <CommissionTable key={place.view} />
      </div>
      {canWrite ? <BonusSheet isOpen={place.isGranting} onClose={() => change({ sheet: null })} /> : null}
    </Page>
  );
}

function CommissionTable() {
  const { t } = useTranslation('commissions');
  const { id: programId, href, can } = useProgram();
  const [place, change] = useSearchState(readPlace);
  const [selection, setSelection] = useState<Selection>(noSelection);
  const [bulk, setBulk] = useState<BulkChange | null>(null);
  const { view, setView, query } = useTable(commissionTable);
  const filter = { status: statusesOf(place.view), ...place.only, expand: 'affiliate,product,rule' };
  const read = useRead('commissions.list', { path: { programId }, query: { ...query, ...filter } });
  const rows = read.data?.commissions;
  const index = rows?.findIndex(({ id }) => id === place.commissionId) ?? -1;
  const open = (id: string | undefined) => (id === undefined ? undefined : () => change({ commission: id }));
  const selectable = can('commissions.write')
    ? {
        selection,
        onSelectionChange: setSelection,
        canSelectAllMatching: false,
        bulkActions: <BulkActions onChoose={setBulk} />,
        bulkSummary: <SelectionSum rows={rows} ids={selection.ids} />,
      }
    : {};
  return (
    <>
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'commissions', query: { ...query, ...filter } }}
        rowId={({ id }) => id}
        rowName={useRowName()}
        rowHref={({ id }) => href(`commissions?commission=${id}`)}
        onOpen={({ id }) => change({ commission: id })}
        view={view}
        onViewChange={(next) => {
          setSelection(noSelection);
          setView(next);
        }}
        filters={useFilterDefinitions()}
        toolbarActions={<NarrowingTags names={narrowings} only={place.only} label={(name) => t(`only.${name}`)} onWiden={change} />}
        phoneRow={(row) => <CommissionPhoneRow row={row} />}
        empty={<NoCommissions view={place.view} />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
        {...selectable}
      />
      <BulkSheet change={bulk} ids={selection.ids} onClose={() => setBulk(null)} onDone={() => setSelection(noSelection)} />
      {place.commissionId === null ? null : (
        <CommissionSheet
          key={place.commissionId}
          id={place.commissionId}
          onClose={() => change({ commission: null })}
          onPrevious={open(index > 0 ? rows?.[index - 1]?.id : undefined)}
          onNext={open(index >= 0 ? rows?.[index + 1]?.id : undefined)}
        />
      )}
    </>
  );
}

function NoCommissions({ view }: { view: View }) {
  const { t } = useTranslation('commissions');
  return <EmptyState sample="orders" title={t(`empty.${view}`)} text={t(view === 'all' ? 'empty.text' : 'empty.viewText')} />;
}
