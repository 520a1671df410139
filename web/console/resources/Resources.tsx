// The resource library: what affiliates find in their portal to promote the program with.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useTable } from '../../url/use-table.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { readOpen, resourceTable } from './resource-table.ts';
import { ResourcePhoneRow, useColumns, useFilterDefinitions } from './use-columns.tsx';

const CreateSheet = onDemand(async () => (await import('./CreateSheet.tsx')).CreateSheet);
const ResourceSheet = onDemand(async () => (await import('./ResourceSheet.tsx')).ResourceSheet);

export function Screen() {
  const { t } = useTranslation('resources');
  const { id: programId, can, href } = useProgram();
  const [{ resourceId, sheet }, change] = useSearchState(readOpen);
  const { view, setView, query } = useTable(resourceTable);
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const read = useRead('resources.list', { path: { programId }, query });
  const canWrite = can('settings.write');
  const create = () => change({ sheet: 'create' });
  useShortcut({ keys: 'c', label: t('create'), isEnabled: canWrite, run: create });
  const action = canWrite ? (
    <Button kind="primary" icon="plus" keys="c" onClick={create}>
      {t('create')}
    </Button>
  ) : undefined;
  return (
    <Page title={t('title')} lede={t('lede')} width="full" actions={action}>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={read.data?.resources}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        rowHref={({ id }) => href(`resources?resource=${id}`)}
        onOpen={({ id }) => change({ resource: id })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <ResourcePhoneRow row={row} />}
        empty={<EmptyState sample="products" title={t('empty.title')} text={t('empty.text')} actions={action} />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      <CreateSheet isOpen={sheet === 'create'} onClose={() => change({ sheet: null })} />
      <ResourceSheet key={resourceId} isOpen={resourceId !== null} id={resourceId ?? ''} onClose={() => change({ resource: null })} />
    </Page>
  );
}
