// Orders: who was credited and what they earned, and the orders without an affiliate to credit.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { AddOrderSheet } from './AddOrderSheet.tsx';
import { OrderTable } from './OrderTable.tsx';
import { readListing, type Tab, tabs } from './order-tables.ts';
import { Totals } from './Totals.tsx';
import { UnattributedTable } from './UnattributedTable.tsx';

const panelId = 'conversions-panel';

export function Screen() {
  const { t } = useTranslation('conversions');
  const { can } = useProgram();
  const [listing, change] = useSearchState(readListing);
  const [isAdding, setIsAdding] = useState(false);
  const canAdd = can('conversions.write');
  const counts = useCounts();
  useShortcut({ keys: 'c', label: t('add'), isEnabled: canAdd, run: () => setIsAdding(true) });
  const add = canAdd ? (
    <Button kind="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {t('add')}
    </Button>
  ) : undefined;
  const choose = (tab: Tab) => change({ view: tab === 'all' ? null : tab, page: null, status: null, reason: null });
  return (
    <Page title={t('title')} width="full" actions={add}>
      <Tabs
        label={t('tabs.label')}
        tabs={tabs.map((id) => ({ id, label: t(`tabs.${id}`), count: counts[id], hasAttention: id === 'held' }))}
        value={listing.tab}
        onChange={choose}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`tabs.${listing.tab}`)}>
        {listing.tab === 'unattributed' ? (
          <UnattributedTable />
        ) : (
          <>
            <Totals listing={listing} />
            <OrderTable listing={listing} onWiden={change} addOrder={canAdd ? () => setIsAdding(true) : undefined} />
          </>
        )}
      </div>
      <AddOrderSheet key={String(isAdding)} isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
}

/** How many orders await a decision. */
function useCounts(): Partial<Record<Tab, number>> {
  const { id: programId } = useProgram();
  const path = { programId };
  const unattributed = useRead('unattributedOrders.list', { path, query: { resolved: 'false', limit: 1 } });
  const held = useRead('conversions.totals', { path, query: { status: ['held'] } });
  const counts: Partial<Record<Tab, number>> = {};
  if (unattributed.data?.total) counts.unattributed = unattributed.data.total;
  if (held.data?.orders) counts.held = held.data.orders;
  return counts;
}
