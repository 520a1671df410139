// The groups of a program: commission tiers with their own rules, hold period and minimum payout.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useTable } from '../../url/use-table.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { CreateSheet } from './CreateSheet.tsx';
import { GroupSheet } from './GroupSheet.tsx';
import { groupTable, readOpen, tabs } from './group-table.ts';
import { GroupPhoneRow, useColumns } from './use-columns.tsx';

const MovesSheet = onDemand(async () => (await import('./moves/MovesSheet.tsx')).MovesSheet);

const panelId = 'groups-panel';

export function Screen() {
  const { t } = useTranslation('groups');
  const { id: programId, can, href } = useProgram();
  const [{ tab, groupId, sheet }, change] = useSearchState(readOpen);
  const { view, setView, query } = useTable(groupTable);
  const columns = useColumns();
  const read = useRead('groups.list', { path: { programId }, query: { ...query, status: [tab] } });
  const canWrite = can('terms.write');
  const create = canWrite ? (
    <Button kind="primary" icon="plus" keys="c" onClick={() => change({ sheet: 'create' })}>
      {t('create')}
    </Button>
  ) : undefined;
  const actions = canWrite ? (
    <>
      <Button icon="sort" onClick={() => change({ sheet: 'moves' })}>
        {t('moves.open')}
      </Button>
      {create}
    </>
  ) : undefined;
  useShortcut({ keys: 'c', label: t('create'), isEnabled: canWrite, run: () => change({ sheet: 'create' }) });
  return (
    <Page title={t('title')} lede={t('lede')} width="full" actions={actions}>
      <Tabs
        label={t('column.status')}
        tabs={tabs.map((id) => ({ id, label: t(`status.${id}`) }))}
        value={tab}
        onChange={(next) => change({ tab: next === 'active' ? null : next, page: null })}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`status.${tab}`)}>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={read.data?.groups}
          total={read.data?.total}
          nextCursor={read.data?.nextCursor}
          exports={{ list: 'groups', query: { ...query, status: [tab] } }}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          rowHref={({ id }) => href(`groups?group=${id}`)}
          onOpen={({ id }) => change({ group: id })}
          view={view}
          onViewChange={setView}
          searchLabel={t('search')}
          phoneRow={(row) => <GroupPhoneRow row={row} />}
          empty={
            tab === 'active' ? (
              <EmptyState sample="people" title={t('empty.title')} text={t('empty.text')} actions={create} />
            ) : (
              <EmptyState sample="people" title={t('noArchived.title')} text={t('noArchived.text')} />
            )
          }
          problem={
            read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined
          }
          isRefreshing={read.isPlaceholderData}
        />
      </div>
      {canWrite ? <CreateSheet isOpen={sheet === 'create'} onClose={() => change({ sheet: null })} /> : null}
      {canWrite ? <MovesSheet isOpen={sheet === 'moves'} onClose={() => change({ sheet: null })} /> : null}
      {groupId === null ? null : <GroupSheet key={groupId} id={groupId} onClose={() => change({ group: null })} />}
    </Page>
  );
}
