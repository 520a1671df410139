// The landing pages of a program: their state, their revisions, and who decided on them.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { someOf } from '../../url/table-filters.ts';
import { tableState } from '../../url/table-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { useTable } from '../../url/use-table.ts';
import { PageSheet } from './PageSheet.tsx';
import { PagePhoneRow, reviewStatuses, useColumns, useFilterDefinitions } from './use-columns.tsx';

const table = tableState({ filters: { reviewStatus: someOf('reviewStatus', reviewStatuses) }, sorts: ['slug', 'updatedAt'] });

function readSlug(raw: RawSearch) {
  return readText(raw, 'page-slug') ?? null;
}

export function Screen() {
  const { t } = useTranslation('pages');
  const { id: programId, href } = useProgram();
  const { view, setView, query } = useTable(table);
  const [slug, change] = useSearchState(readSlug);
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const read = useRead('landingPages.list', { path: { programId }, query });
  const rows = read.data?.landingPages;
  const index = rows?.findIndex((row) => row.slug === slug) ?? -1;
  const open = (other: string | undefined) => (other === undefined ? undefined : () => change({ 'page-slug': other }));
  return (
    <Page title={t('title')} lede={t('lede')} width="full">
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        nextCursor={read.data?.nextCursor}
        exports={{ list: 'pages', query: query }}
        rowId={({ id }) => id}
        rowName={({ pageTitle }) => pageTitle}
        rowHref={(row) => href(`pages?page-slug=${row.slug}`)}
        onOpen={(row) => change({ 'page-slug': row.slug })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <PagePhoneRow row={row} />}
        empty={<NoPages />}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
      />
      <PageSheet
        page={rows?.[index] ?? null}
        slug={slug}
        onClose={() => change({ 'page-slug': null })}
        onPrevious={open(index > 0 ? rows?.[index - 1]?.slug : undefined)}
        onNext={open(index >= 0 ? rows?.[index + 1]?.slug : undefined)}
      />
    </Page>
  );
}

function NoPages() {
  const { t } = useTranslation('pages');
  const { href } = useProgram();
  const action = <ButtonLink href={href('affiliates')}>{t('empty.action')}</ButtonLink>;
  return <EmptyState sample="page" title={t('empty.title')} text={t('empty.text')} actions={action} />;
}
