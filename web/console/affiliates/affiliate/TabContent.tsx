import { lazy, Suspense } from 'react';
import { loadFile } from '../../../frame/lazy-screen.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Details } from './details.ts';
import { ActivityTab } from './tabs/ActivityTab.tsx';
import { CommissionsTab } from './tabs/CommissionsTab.tsx';
import { ConversionsTab } from './tabs/ConversionsTab.tsx';
import { LeadsTab } from './tabs/LeadsTab.tsx';
import { LinksTab } from './tabs/LinksTab.tsx';
import { PayoutsTab } from './tabs/PayoutsTab.tsx';
import { SummaryTab } from './tabs/SummaryTab.tsx';
import type { AffiliateTab } from './view.ts';

// The editor of notes is loaded when the tab opens.
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
    <Suspense fallback={<SkeletonText lines={8} />}>
      <Content affiliate={affiliate} />
    </Suspense>
  );
}
