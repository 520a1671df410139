// The events of a store with their outcome, and one of them in full.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { Count } from '../../../ui/figures/count.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { PhoneRow } from '../../../ui/table/phone-rows.tsx';
import type { Column, FilterDefinition } from '../../../ui/table/table-types.ts';
import { useSearchState } from '../../../url/search-state.ts';
import { days, someOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { type ProviderEvent, useOutcome } from '../connections/use-outcome.ts';

const statuses = ['received', 'waiting', 'processed', 'ignored', 'failed'] as const;
const table = tableState({ filters: { status: someOf('status', statuses), created: days('createdFrom', 'createdTo') }, sorts: [] });
const refreshMs = 10_000;

function readEventId(raw: RawSearch) {
  return readText(raw, 'event') ?? null;
}

export function Events({ storeId }: { storeId: string }) {
  const { t } = useTranslation('connections');
  const { id: programId, timezone, href } = useProgram();
  const { view, setView } = useTable(table);
  const [eventId, change] = useSearchState(readEventId);
  const columns = useColumns();
  const filters: FilterDefinition[] = [
    {
      id: 'status',
      label: t('fact.status'),
      kind: 'options',
      options: statuses.map((value) => ({ value, label: t(`eventStatus.${value}`) })),
    },
    { id: 'created', label: t('event.received'), kind: 'days' },
  ];
  // The list of events has no search, and one order: the newest first.
  const query = Object.assign(table.toQuery({ ...view, search: '' }, timezone), { providerId: storeId });
  const read = useRead('providerEvents.list', { path: { programId }, query }, { refreshMs });
  const rows = read.data?.providerEvents;
  const open = rows?.find(({ id }) => id === eventId) ?? null;
  return (
    <>
      <DataTable
        label={t('store.tab.events')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'events', query: query }}
        rowId={({ id }) => id}
        rowName={({ topic }) => topic}
        rowHref={({ id }) => href(`settings/stores/${storeId}?tab=events&event=${id}`)}
        onOpen={({ id }) => change({ event: id })}
        view={view}
        onViewChange={setView}
        filters={filters}
        phoneRow={(row) => <EventRow row={row} />}
        empty={<EmptyState sample="entries" title={t('event.empty.title')} text={t('event.empty.text')} />}
        problem={
          read.error && !read.data ? <Problem error={read.error} what={t('event.what')} onRetry={() => void read.refetch()} /> : undefined
        }
        isRefreshing={read.isPlaceholderData}
      />
      <EventSheet event={open} onClose={() => change({ event: null })} />
    </>
  );
}

function useColumns(): Column<ProviderEvent>[] {
  const { t } = useTranslation('connections');
  const outcomeOf = useOutcome();
  return [
    { id: 'topic', header: t('event.topic'), width: 210, cell: ({ topic }) => topic },
    { id: 'status', header: t('fact.status'), width: 130, cell: ({ status }) => <EventStatus status={status} /> },
    {
      id: 'outcome',
      header: t('event.outcome'),
      width: 330,
      narrow: { rank: 1, below: 'topic', width: 260 },
      cell: (row) => outcomeOf(row),
    },
    { id: 'received', header: t('event.received'), width: 140, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
  ];
}

function EventRow({ row }: { row: ProviderEvent }) {
  const outcomeOf = useOutcome();
  return (
    <PhoneRow
      title={row.topic}
      state={<EventStatus status={row.status} />}
      detail={outcomeOf(row)}
      amount={<DateTime value={row.createdAt} />}
    />
  );
}

const marks = {
  received: { tone: 'pending', icon: 'clock' },
  waiting: { tone: 'pending', icon: 'clock' },
  processed: { tone: 'approved', icon: 'check' },
  ignored: { tone: 'neutral', icon: 'minus' },
  failed: { tone: 'reversed', icon: 'warning' },
} as const;

function EventStatus({ status }: Pick<ProviderEvent, 'status'>) {
  const { t } = useTranslation('connections');
  return <Status {...marks[status]}>{t(`eventStatus.${status}`)}</Status>;
}

function EventSheet({ event, onClose }: { event: ProviderEvent | null; onClose: () => void }) {
  return (
    <Sheet isOpen={event !== null} onClose={onClose} title={event?.topic ?? ''}>
      {event === null ? null : <EventDetails event={event} />}
    </Sheet>
  );
}

function EventDetails({ event }: { event: ProviderEvent }) {
  const { t } = useTranslation('connections');
  const { href } = useProgram();
  const outcomeOf = useOutcome();
  const { outcome, occurredAt, nextAttemptAt } = event;
  const conversionId = outcome?.conversionId;
  const steps = outcome?.actions ?? [];
  return (
    <Stack gap={20}>
      <Text tone="ink" size="lead">
        {outcomeOf(event)}
      </Text>
      {steps.length > 1 ? (
        <ul>
          {steps.map(({ action, status, orderId = '' }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the actions of a stored event never change their order.
            <li key={index}>{t(`outcome.${status}`, { order: orderId, action })}</li>
          ))}
        </ul>
      ) : null}
      <Facts
        columns={2}
        rows={[
          { label: t('fact.status'), value: <EventStatus status={event.status} /> },
          { label: t('event.attempts'), value: <Count value={event.attempts} /> },
          { label: t('event.received'), value: <DateTime value={event.createdAt} /> },
          { label: t('event.occurred'), value: occurredAt === null ? '–' : <DateTime value={occurredAt} /> },
          { label: t('event.next'), value: nextAttemptAt === null ? '–' : <DateTime value={nextAttemptAt} /> },
          { label: t('event.id'), value: <CopyButton value={event.externalId} isMono /> },
        ]}
      />
      {conversionId === undefined ? null : (
        <div>
          <ButtonLink href={href(`conversions/${conversionId}`)} icon="conversions">
            {t('event.order')}
          </ButtonLink>
        </div>
      )}
    </Stack>
  );
}
