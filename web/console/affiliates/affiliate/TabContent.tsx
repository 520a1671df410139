import type { Details } from './details.ts';
import { ActivityTab } from './tabs/ActivityTab.tsx';
import { CommissionsTab } from './tabs/CommissionsTab.tsx';
import { ConversionsTab } from './tabs/ConversionsTab.tsx';
import { LeadsTab } from './tabs/LeadsTab.tsx';
import { LinksTab } from './tabs/LinksTab.tsx';
import { NotesTab } from './tabs/NotesTab.tsx';
import { PayoutsTab } from './tabs/PayoutsTab.tsx';
import { SummaryTab } from './tabs/SummaryTab.tsx';
import type { AffiliateTab } from './view.ts';

const contents = {
  summary: SummaryTab,
  links: LinksTab,
  conversions: ConversionsTab,
  leads: LeadsTab,
  commissions: CommissionsTab,
  payouts: PayoutsTab,
  activity: ActivityTab,
  notes: NotesTab,
} as const satisfies Record<AffiliateTab, (props: { affiliate: Details }) => React.ReactNode>;

/** The content of one tab. */
export function TabContent({ tab, affiliate }: { tab: AffiliateTab; affiliate: Details }) {
  const Content = contents[tab];
  return <Content affiliate={affiliate} />;
}
