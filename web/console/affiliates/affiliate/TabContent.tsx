import { ActivityTab } from './ActivityTab.tsx';
import type { Details } from './Affiliate.tsx';
import { CommissionsTab } from './CommissionsTab.tsx';
import { ConversionsTab } from './ConversionsTab.tsx';
import { LinksTab } from './LinksTab.tsx';
import { NotesTab } from './NotesTab.tsx';
import { PayoutsTab } from './PayoutsTab.tsx';
import { SummaryTab } from './SummaryTab.tsx';
import type { AffiliateTab } from './view.ts';

const contents = {
  summary: SummaryTab,
  links: LinksTab,
  conversions: ConversionsTab,
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
