// Payouts: what is due and what prevents it, the batches, every payout, and every invoice. The tab, the sheet and the filters are in the URL.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readOne } from '../../url/url-state.ts';
import { InvoiceTable } from '../invoices/InvoiceTable.tsx';
import { noInvoiceFilters } from '../invoices/invoice-table.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { DueView } from './due/DueView.tsx';
import { BatchTable } from './history/BatchTable.tsx';
import { PayoutHistory } from './history/PayoutHistory.tsx';

const DispatchSheet = onDemand(async () => (await import('./dispatch/DispatchSheet.tsx')).DispatchSheet);

const tabs = ['due', 'batches', 'payouts', 'invoices'] as const;
const panelId = 'payouts-panel';

/** The filters of all tabs; none applies to another tab. */
const noFilters = { ...noInvoiceFilters, sort: null, page: null, status: null, providerId: null };

function readState(raw: RawSearch) {
  return { tab: readOne(raw, 'view', tabs) ?? ('due' as const), isDispatching: readOne(raw, 'sheet', ['dispatch']) !== undefined };
}

export function Screen() {
  const { t } = useTranslation('payouts');
  const { can, href } = useProgram();
  const [{ tab, isDispatching }, change] = useSearchState(readState);
  const navigate = useNavigate();
  const [sentId, setSentId] = useState<string | null>(null);
  const target = sentId === null ? null : href(`payouts/batches/${sentId}`);
  // After the sheet has closed, so that leaving its form doesn't ask about unsaved changes.
  useEffect(() => {
    if (target !== null) navigate(target);
  }, [target, navigate]);
  const open = () => change({ sheet: 'dispatch' });
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      width="full"
      actions={
        <>
          <ButtonLink href={href('payouts/reconcile')} icon="refresh">
            {t('reconcile.open')}
          </ButtonLink>
          <PayButton onOpen={open} />
        </>
      }
    >
      <Tabs
        label={t('tabs.label')}
        tabs={tabs.map((id) => ({ id, label: t(`tabs.${id}`) }))}
        value={tab}
        onChange={(view) => change({ ...noFilters, view: view === 'due' ? null : view })}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-label={t(`tabs.${tab}`)}>
        <Panel tab={tab} onDispatch={open} />
      </div>
      {can('payouts.prepare') ? (
        <DispatchSheet isOpen={isDispatching && sentId === null} onClose={() => change({ sheet: null })} onSent={setSentId} />
      ) : null}
    </Page>
  );
}

function Panel({ tab, onDispatch }: { tab: (typeof tabs)[number]; onDispatch: () => void }) {
  if (tab === 'due') return <DueView onDispatch={onDispatch} />;
  if (tab === 'batches') return <BatchTable />;
  return tab === 'payouts' ? <PayoutHistory /> : <InvoiceTable />;
}

/** "Pay 84 affiliates $7,530.00"; missing while nothing is due, payouts are locked, or the role doesn't permit it. */
function PayButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('payouts');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const path = { programId };
  const { data } = useRead('payouts.due', { path, query: { expand: 'affiliate' } });
  const state = useRead('payouts.reconciliation', { path });
  const isReady = can('payouts.prepare') && data !== undefined && data.due.length > 0 && state.data?.lockReason === null;
  useShortcut({ keys: 'c', label: t('dispatch.title'), isEnabled: isReady, run: onOpen });
  if (!isReady) return null;
  const count = data.due.length;
  const amount = formatMoney(data.totalCents, data.currency, language);
  return (
    <Button kind="primary" icon="payouts" onClick={onOpen}>
      {t('dispatch.open', { count, formatted: formatCount(count, language), amount })}
    </Button>
  );
}
