// The catalogue of a program: the products that affiliates promote, and who may promote each.
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useStatusChanges } from '../../ui/table/statuses/use-status-changes.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useTable } from '../../url/use-table.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { CreateSheet } from './CreateSheet.tsx';
import { ImportSheet } from './import/ImportSheet.tsx';
import { ProductSheet } from './ProductSheet.tsx';
import { productTable, readOpen, type Tab, tabs } from './product-table.ts';
import { affected } from './product-values.ts';
import { ProductPhoneRow, useColumns, useFilterDefinitions } from './use-columns.tsx';

const FeedSheet = onDemand(async () => (await import('./FeedSheet.tsx')).FeedSheet);

const panelId = 'products-panel';

export function Screen() {
  const { t } = useTranslation('products');
  const { can } = useProgram();
  const [{ tab, sheet }, change] = useSearchState(readOpen);
  const canWrite = can('terms.write');
  const close = () => change({ sheet: null });
  useShortcut({ keys: 'c', label: t('create'), isEnabled: canWrite, run: () => change({ sheet: 'create' }) });
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      width="full"
      actions={<Actions canWrite={canWrite} onOpen={(next) => change({ sheet: next })} />}
    >
      <Tabs
        label={t('tabs.label')}
        tabs={tabs.map((id) => ({ id, label: t(`tabs.${id}`) }))}
        value={tab}
        onChange={(next) => change({ tab: next === 'active' ? null : next, page: null })}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`tabs.${tab}`)}>
        <ProductTable key={tab} tab={tab} canWrite={canWrite} />
      </div>
      <FeedSheet isOpen={sheet === 'feed'} onClose={close} />
      {canWrite ? (
        <>
          <CreateSheet isOpen={sheet === 'create'} onClose={close} />
          <ImportSheet isOpen={sheet === 'import'} onClose={close} />
        </>
      ) : null}
    </Page>
  );
}

type OpenProps = { canWrite: boolean; onOpen: (sheet: 'create' | 'import' | 'feed') => void };

function Actions({ canWrite, onOpen }: OpenProps) {
  const { t } = useTranslation('products');
  return (
    <>
      <Button icon="link" onClick={() => onOpen('feed')}>
        {t('feed.action')}
      </Button>
      {canWrite ? (
        <>
          <Button icon="upload" onClick={() => onOpen('import')}>
            {t('import.action')}
          </Button>
          <Button kind="primary" icon="plus" keys="c" onClick={() => onOpen('create')}>
            {t('create')}
          </Button>
        </>
      ) : null}
    </>
  );
}

function ProductTable({ tab, canWrite }: { tab: Tab; canWrite: boolean }) {
  const { t } = useTranslation('products');
  const { id: programId, href } = useProgram();
  const [{ productId }, change] = useSearchState(readOpen);
  const { view, setView, query } = useTable(productTable);
  const columns = useColumns();
  const filters = useFilterDefinitions();
  const read = useRead('productTable.list', { path: { programId }, query: { ...query, status: [tab] } });
  const rows = read.data?.products;
  const index = rows?.findIndex((row) => row.id === productId) ?? -1;
  const { tableProps, clear } = useProductStatuses(tab, rows);
  const open = (other: string | undefined) => (other === undefined ? undefined : () => change({ product: other }));
  const empty =
    tab === 'active' ? (
      <NoProducts canWrite={canWrite} onOpen={(sheet) => change({ sheet })} />
    ) : (
      <EmptyState sample="products" title={t(`none.${tab}`)} text={t(`noneText.${tab}`)} />
    );
  return (
    <>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        total={read.data?.total}
        exports={{ list: 'products', query: { ...query, status: [tab] } }}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => href(`products?product=${id}`)}
        onOpen={({ id }) => change({ product: id })}
        view={view}
        onViewChange={(next) => {
          clear();
          setView(next);
        }}
        filters={filters}
        searchLabel={t('search')}
        phoneRow={(row) => <ProductPhoneRow row={row} />}
        empty={empty}
        problem={read.error && !read.data ? <Problem error={read.error} what={t('what')} onRetry={() => void read.refetch()} /> : undefined}
        isRefreshing={read.isPlaceholderData}
        {...tableProps}
      />
      {productId === null ? null : (
        <ProductSheet
          key={productId}
          id={productId}
          onClose={() => change({ product: null })}
          onPrevious={open(index > 0 ? rows?.[index - 1]?.id : undefined)}
          onNext={open(index >= 0 ? rows?.[index + 1]?.id : undefined)}
        />
      )}
    </>
  );
}

/** The selected products are archived, or made active if they are archived. */
function useProductStatuses(tab: Tab, rows: readonly { id: string; name: string }[] | undefined) {
  const { t } = useTranslation('products');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const { mutateAsync } = useAction('products.setStatuses', { invalidates: affected });
  const status = tab === 'archived' ? ('active' as const) : ('archived' as const);
  return useStatusChanges<Tab>({
    isEnabled: can('terms.write'),
    action: status === 'active' ? { status, label: t('restore'), icon: 'check' } : { status, label: t('archive'), icon: 'archive' },
    apply: (changes) => mutateAsync({ path: { programId }, body: { changes } }),
    nameOf: (id) => rows?.find((row) => row.id === id)?.name,
    describe: (count) => t(`changedMany.${status}`, { count, formatted: formatCount(count, language) }),
  });
}

function NoProducts({ canWrite, onOpen }: OpenProps) {
  const { t } = useTranslation('products');
  const actions = canWrite ? (
    <>
      <Button kind="primary" onClick={() => onOpen('create')}>
        {t('create')}
      </Button>
      <Button onClick={() => onOpen('import')}>{t('import.action')}</Button>
    </>
  ) : undefined;
  return <EmptyState sample="products" title={t('empty.title')} text={t('empty.text')} actions={actions} />;
}
