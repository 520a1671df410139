// The bounties of a program: bonuses for milestones, and the content that awaits a decision.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { BountyCard } from './BountyCard.tsx';
import { type Bounty, readOpen, tabs } from './bounty-values.ts';
import { CreateSheet } from './CreateSheet.tsx';
import { EditSheet } from './EditSheet.tsx';
import { Submissions } from './Submissions.tsx';

const panelId = 'bounties-panel';

export function Screen() {
  const { t } = useTranslation('bounties');
  const { id: programId, can } = useProgram();
  const [{ tab, sheet, bountyId }, change] = useSearchState(readOpen);
  const read = useRead('bounties.list', { path: { programId }, query: { limit: 200 } });
  const canWrite = can('terms.write');
  const create = canWrite ? (
    <Button kind="primary" icon="plus" keys="c" onClick={() => change({ sheet: 'create' })}>
      {t('create')}
    </Button>
  ) : undefined;
  useShortcut({ keys: 'c', label: t('create'), isEnabled: canWrite, run: () => change({ sheet: 'create' }) });
  const edited = read.data?.bounties.find(({ id }) => id === bountyId);
  return (
    <Page title={t('title')} lede={t('lede')} actions={create}>
      <Tabs
        label={t('statuses')}
        tabs={tabs.map((id) => ({ id, label: t(`status.${id}`) }))}
        value={tab}
        onChange={(next) => change({ tab: next === 'active' ? null : next })}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`status.${tab}`)}>
        <Loaded read={read} what={t('what')} skeleton={<Skeleton />}>
          {({ bounties }) => (
            <Stack gap={16}>
              <Submissions />
              <List
                bounties={bounties.filter(({ status }) => status === tab)}
                create={tab === 'active' ? create : undefined}
                onEdit={(id) => change({ bounty: id })}
              />
            </Stack>
          )}
        </Loaded>
      </div>
      {canWrite ? <CreateSheet isOpen={sheet === 'create'} onClose={() => change({ sheet: null })} /> : null}
      {canWrite && edited ? <EditSheet key={edited.id} bounty={edited} onClose={() => change({ bounty: null })} /> : null}
    </Page>
  );
}

function Skeleton() {
  return (
    <Card>
      <SkeletonText lines={5} />
    </Card>
  );
}

type ListProps = { bounties: readonly Bounty[]; create: React.ReactNode; onEdit: (id: string) => void };

function List({ bounties, create, onEdit }: ListProps) {
  const { t } = useTranslation('bounties');
  if (bounties.length === 0)
    return create === undefined ? (
      <EmptyState sample="entries" title={t('none.title')} text={t('none.text')} />
    ) : (
      <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} actions={create} />
    );
  return (
    <Stack gap={16}>
      {bounties.map((bounty) => (
        <BountyCard key={bounty.id} bounty={bounty} onEdit={() => onEdit(bounty.id)} />
      ))}
    </Stack>
  );
}
