// One affiliate: state, money, figures, terms and history. The tab, its page and its sort are in the URL.
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { FailedScreen } from '../../../states/failed-screen.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { onDemand } from '../../../ui/overlay/on-demand.tsx';
import { useShortcut } from '../../shortcuts/use-shortcut.ts';
import type { Details, Summary } from './details.ts';
import { AffiliateHeader } from './Header.tsx';
import { SkeletonPage } from './SkeletonPage.tsx';
import { TabContent } from './TabContent.tsx';
import { type AffiliateTab, tabs, useTab } from './view.ts';

const BulkSheet = onDemand(async () => (await import('../bulk/BulkSheet.tsx')).BulkSheet);
const EditSheet = onDemand(async () => (await import('./EditSheet.tsx')).EditSheet);

export function Screen() {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const { affiliateId = '' } = useParams({ strict: false }) as { affiliateId?: string };
  const path = { programId, id: affiliateId };
  const details = useRead('affiliates.get', { path, query: { expand: 'group,parentAffiliate' } });
  const summary = useRead('affiliateTable.summary', { path });
  if (details.error && details.data === undefined)
    return <FailedScreen error={details.error} read={details} what={t('what')} title={t('title')} />;
  return (
    <Loaded read={details} what={t('what')} skeleton={<SkeletonPage />}>
      {(affiliate) => <Content affiliate={affiliate} summary={summary} />}
    </Loaded>
  );
}

function Content({ affiliate, summary }: { affiliate: Details; summary: Read<'affiliateTable.summary'> }) {
  const { t } = useTranslation('affiliate');
  const { can } = useProgram();
  const [tab, chooseTab] = useTab();
  const [isEditing, setIsEditing] = useState(false);
  const [isGrouping, setIsGrouping] = useState(false);
  const canWrite = can('affiliates.write');
  useShortcut({ keys: 'e', label: t('edit.title'), isEnabled: canWrite, run: () => setIsEditing(true) });
  useShortcut({ keys: 's', label: t('actions.setGroup'), isEnabled: canWrite, run: () => setIsGrouping(true) });
  useShortcut({ keys: 'n', label: t('notes.add'), isEnabled: canWrite, run: () => chooseTab('notes') });
  return (
    <AffiliateHeader affiliate={affiliate} summary={summary.data} onEdit={() => setIsEditing(true)}>
      <Tabs
        label={t('tabs.label')}
        tabs={tabs.map((id) => ({ id, label: t(`tabs.${id}`), count: countOf(id, summary.data) }))}
        value={tab}
        onChange={chooseTab}
        panelId="affiliate-tab"
      />
      <div id="affiliate-tab" role="tabpanel" aria-label={t(`tabs.${tab}`)}>
        <TabContent tab={tab} affiliate={affiliate} />
      </div>
      <BulkSheet
        isOpen={isGrouping}
        kind={isGrouping ? 'group' : null}
        onClose={() => setIsGrouping(false)}
        selection={{ ids: [affiliate.id], isAllMatching: false }}
        filter={{}}
        count={1}
        name={fullName(affiliate)}
      />
      {isEditing ? <EditSheet affiliate={affiliate} isOpen onClose={() => setIsEditing(false)} /> : null}
    </AffiliateHeader>
  );
}

function countOf(tab: AffiliateTab, summary: Summary | undefined): number | undefined {
  return tab === 'notes' && summary !== undefined && summary.notes > 0 ? summary.notes : undefined;
}
