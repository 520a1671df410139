import { lazy, Suspense } from 'react';
import { loadFile } from '../../../frame/lazy-screen.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Details } from './details.ts';
import { CommissionsTab } from './tabs/CommissionsTab.tsx';
import { ConversionsTab } from './tabs/ConversionsTab.tsx';
import { LinksTab } from './tabs/LinksTab.tsx';
import { SummaryTab } from './tabs/SummaryTab.tsx';
import type { AffiliateTab } from './view.ts';

// Loaded when the tab opens: the editor of notes, and rarely used parts.
const ActivityTab = lazy(async () => ({ default: (await loadFile(() => import('./tabs/ActivityTab.tsx'))).ActivityTab }));
const LeadsTab = lazy(async () => ({ default: (await loadFile(() => import('./tabs/LeadsTab.tsx'))).LeadsTab }));
const PayoutsTab = lazy(async () => ({ default: (await loadFile(() => import('./tabs/PayoutsTab.tsx'))).PayoutsTab }));
const NotesTab = lazy(async () => ({ default: (await loadFile(() => import('./tabs/NotesTab.tsx'))).NotesTab }));

const contents = {
  summary: SummaryTab,
  links: LinksTab,
  conversions: ConversionsTab,
  leads: LeadsTab,
  commissions: CommissionsTab,
  payouts: PayoutsTab,
  activity: ActivityTab,
  notes: NotesTab,
} as const satisfies Record<AffiliateTab, React.ComponentType<{ affiliate: Details }>>;

/** The content of one tab. */
export function TabContent({ tab, affiliate }: { tab: AffiliateTab; affiliate: Details }) {
  const Content = contents[tab];
  return (
    <Suspense
      fallback={
        <div aria-busy>
          <SkeletonText lines={8} />
        </div>
      }
    >
      <Content affiliate={affiliate} />
    </Suspense>
  );
}
