// The landing pages of a program: their state, their revisions, and who decided on them.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableView } from '../../ui/table/table-types.ts';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { PageSheet } from './PageSheet.tsx';
import { readView, toPatch, toQuery } from './table-query.ts';
import { PagePhoneRow, useColumns, useFilterDefinitions } from './use-columns.tsx';

function readState(raw: RawSearch) {
  return { view: readView(raw), slug: readText(raw, 'page-slug') ?? null };
}

export function Screen() {
  const { t } = useTranslation('pages');
  const { id: programId, href } = useProgram();
  const [{ view, slug }, change] = useSearchState(readState);
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const query = toQuery(view) as NonNullable<Input<'landingPages.list'>['query']>;
  const read = useRead('landingPages.list', { path: { programId }, query });
  const setView = useCallback((next: TableView) => change(toPatch(next), { isTyping: next.search !== view.search }), [change, view.search]);
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
        rowId={({ id }) => id}
        rowName={({ pageTitle }) => pageTitle}
        rowHref={(row) => href(`pages?page-slug=${row.slug}`)}
        onOpen={(row) => change({ 'page-slug': row.slug })}
        view={view}
        onViewChange={setView}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <PagePhoneRow row={row} />}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} hasBed={false} />}
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
