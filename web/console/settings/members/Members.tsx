// Who can sign in to the program, what their roles permit, and who is invited.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { AccessRequests } from './AccessRequests.tsx';
import { InvitationsCard } from './InvitationsCard.tsx';
import { InviteSheet } from './InviteSheet.tsx';
import { MemberItem } from './MemberItem.tsx';
import styles from './members.module.css';
import { RolesCard } from './RolesCard.tsx';

export function Screen() {
  const { t } = useTranslation('members');
  const { name, can } = useProgram();
  const [isInviting, setIsInviting] = useState(false);
  const canManage = can('members.write');
  const invite = (
    <Button kind="primary" icon="plus" onClick={() => setIsInviting(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <Page title={t('title')} lede={t('lede', { name })} width="reading" actions={canManage ? invite : undefined}>
      <Stack gap={20}>
        <OneOwnerNotice />
        {canManage ? <AccessRequests /> : null}
        <MembersCard />
        {canManage ? <InvitationsCard /> : null}
        <RolesCard />
      </Stack>
      {canManage ? <InviteSheet isOpen={isInviting} onClose={() => setIsInviting(false)} /> : null}
    </Page>
  );
}

/** Two people approve large payouts; with one owner, a delay replaces the second. */
function OneOwnerNotice() {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const { data } = useRead('members.list', { path: { programId } });
  const owners = data?.members.filter(({ role, status }) => role === 'owner' && status === 'active');
  if (owners?.length !== 1) return null;
  return (
    <Notice icon="members" tone="neutral" title={t('oneOwnerTitle')}>
      {t('oneOwnerText')}
    </Notice>
  );
}

function MembersCard() {
  const { t } = useTranslation('members');
  const { id: programId } = useProgram();
  const read = useRead('members.list', { path: { programId } });
  return (
    <Card title={t('list.title')} detail={read.data ? t('list.count', { count: read.data.total }) : undefined} isFlush>
      <Loaded
        read={read}
        what={t('list.what')}
        skeleton={
          <div className={styles.padded}>
            <SkeletonText lines={4} />
          </div>
        }
      >
        {({ members }) => (
          <RowList>
            {members.map((member) => (
              <MemberItem key={member.userId} member={member} />
            ))}
          </RowList>
        )}
      </Loaded>
    </Card>
  );
}
