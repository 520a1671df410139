// The audit log of a program: every change with its actor, and whether the log is unchanged.
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { download } from '../../../states/download.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { auditTable, toFilter } from './audit-table.ts';
import { EventSheet, type Narrow } from './EventSheet.tsx';
import { Integrity } from './Integrity.tsx';
import { useSentence } from './Sentence.tsx';
import { EventPhoneRow, useColumns, useFilterDefinitions } from './use-columns.tsx';

function readEventId(raw: RawSearch) {
  return readText(raw, 'event') ?? null;
}

export function Screen() {
  const { t } = useTranslation('audit');
  const { id: programId, timezone, href } = useProgram();
  const { view, setView } = useTable(auditTable);
  const [eventId, change] = useSearchState(readEventId);
  const columns = useColumns();
  const toSentence = useSentence();
  const filter = toFilter(view, timezone);
  const filters = useFilterDefinitions(filter.actorId);
  const query = Object.assign(auditTable.toQuery({ ...view, search: '' }, timezone), filter);
  const read = useRead('auditEntries.list', { path: { programId }, query });
  const rows = read.data?.auditEntries;
  const index = rows?.findIndex(({ id }) => id === eventId) ?? -1;
  const open = (id: string | undefined) => (id === undefined ? undefined : () => change({ event: id }));
  const narrow: Narrow = ({ search = null, actorId: by = null }) =>
    change({ event: null, search, actorId: by, actorKind: null, from: null, to: null, page: null });
  return (
    <Page title={t('title')} lede={t('lede')} width="full" actions={<ExportButton filter={filter} />}>
      <Integrity />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        rowId={({ id }) => id}
        rowName={toSentence}
        rowHref={({ id }) => href(`settings/audit-log?event=${id}`)}
        onOpen={({ id }) => change({ event: id })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <EventPhoneRow row={row} />}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} sample="entries" />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      <EventSheet
        eventId={eventId}
        onClose={() => change({ event: null })}
        onPrevious={open(index > 0 ? rows?.[index - 1]?.id : undefined)}
        onNext={open(index >= 0 ? rows?.[index + 1]?.id : undefined)}
        onNarrow={narrow}
      />
    </Page>
  );
}

/** Downloads the entries that match the filters. The export is an entry of the log, too. */
function ExportButton({ filter }: { filter: ReturnType<typeof toFilter> }) {
  const { t } = useTranslation('audit');
  const { id: programId, slug } = useProgram();
  const exportEntries = () => {
    showToast(t('export.started'), { icon: 'download' });
    const query = Object.assign({ format: 'csv' as const }, filter);
    return download(`${slug}-audit-log.csv`, () => call('auditEvents.export', { path: { programId }, query }));
  };
  return (
    <Button icon="download" onClick={() => void exportEntries()}>
      {t('export.action')}
    </Button>
  );
}
