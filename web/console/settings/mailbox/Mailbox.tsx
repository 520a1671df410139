// The mailbox of a program: every email with its delivery, and what it looks like.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { someOf } from '../../../url/table-filters.ts';
import { tableState } from '../../../url/table-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { useTable } from '../../../url/use-table.ts';
import { EmailSheet } from './EmailSheet.tsx';
import { EmailPhoneRow, emailKinds, emailStatuses, useColumns, useFilterDefinitions } from './use-columns.tsx';

const table = tableState({
  filters: { status: someOf('status', emailStatuses), kind: someOf('kind', emailKinds) },
  sorts: ['createdAt'],
});

function readId(raw: RawSearch) {
  return readText(raw, 'email') ?? null;
}

export function Screen() {
  const { t } = useTranslation('mailbox');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const [emailId, change] = useSearchState(readId);
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const read = useRead('emails.list', { path: { programId }, query }, { refreshMs: 15_000 });
  const rows = read.data?.emails;
  const index = rows?.findIndex(({ id }) => id === emailId) ?? -1;
  const open = (id: string | undefined) => (id === undefined ? undefined : () => change({ email: id }));
  return (
    <Page title={t('title')} lede={t('lede')} width="full">
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'emails', query: query }}
        rowId={({ id }) => id}
        rowName={({ subject }) => subject}
        rowHref={({ id }) => href(`settings/mailbox?email=${id}`)}
        onOpen={({ id }) => change({ email: id })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <EmailPhoneRow row={row} />}
        empty={<NoEmails />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      <EmailSheet
        emailId={emailId}
        onClose={() => change({ email: null })}
        onPrevious={open(index > 0 ? rows?.[index - 1]?.id : undefined)}
        onNext={open(index >= 0 ? rows?.[index + 1]?.id : undefined)}
      />
    </Page>
  );
}

function NoEmails() {
  const { t } = useTranslation('mailbox');
  const { href, can } = useProgram();
  const action = can('affiliates.write') ? <ButtonLink href={href('affiliates?sheet=invite')}>{t('empty.action')}</ButtonLink> : undefined;
  return <EmptyState sample="emails" title={t('empty.title')} text={t('empty.text')} actions={action} />;
}
