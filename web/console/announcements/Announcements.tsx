// Emails that a program writes to its affiliates: drafts, what is scheduled, and what was sent with its results.
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
import { announcementTable, readOpen } from './announcement-table.ts';
import { AnnouncementPhoneRow, useColumns, useFilterDefinitions, useSubject } from './use-columns.tsx';

const CreateSheet = onDemand(async () => (await import('./CreateSheet.tsx')).CreateSheet);
const AnnouncementSheet = onDemand(async () => (await import('./AnnouncementSheet.tsx')).AnnouncementSheet);

const refreshMs = 15_000;

export function Screen() {
  const { t } = useTranslation('announcements');
  const { id: programId, href } = useProgram();
  const [{ announcementId, sheet }, change] = useSearchState(readOpen);
  const { view, setView, query } = useTable(announcementTable);
  const subjectOf = useSubject();
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const read = useRead('announcements.list', { path: { programId }, query }, { refreshMs });
  const create = () => change({ sheet: 'create' });
  useShortcut({ keys: 'c', label: t('create'), isEnabled: true, run: create });
  const action = (
    <Button kind="primary" icon="plus" keys="c" onClick={create}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lede={t('lede')} width="full" actions={action}>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={read.data?.announcements}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        rowId={({ id }) => id}
        rowName={subjectOf}
        rowHref={({ id }) => href(`announcements?announcement=${id}`)}
        onOpen={({ id }) => change({ announcement: id })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <AnnouncementPhoneRow row={row} />}
        empty={<EmptyState sample="emails" title={t('empty')} text={t('emptyText')} actions={action} />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      <CreateSheet
        isOpen={sheet === 'create'}
        onClose={() => change({ sheet: null })}
        onCreated={(id) => change({ sheet: null, announcement: id })}
      />
      <AnnouncementSheet
        key={announcementId}
        isOpen={announcementId !== null}
        id={announcementId ?? ''}
        onClose={() => change({ announcement: null })}
      />
    </Page>
  );
}
