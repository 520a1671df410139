// The bounties of the program: what earns a bonus, how far the affiliate is, and submitting content.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDay } from '../../ui/figures/dates.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Progress } from '../../ui/marks/progress.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import styles from './bounties.module.css';
import type { Bounty } from './bounty.ts';
import { SubmitSheet } from './SubmitSheet.tsx';

const marks = {
  open: ['neutral', 'insights'],
  upcoming: ['neutral', 'clock'],
  in_review: ['pending', 'clock'],
  earned: ['approved', 'check'],
  budget_spent: ['neutral', 'pause'],
  ended: ['neutral', 'archive'],
} as const;

export function Screen() {
  const { t } = useTranslation('portal-bounties');
  const { programId, programName, status } = useAccount();
  const [chosen, setChosen] = useState<Bounty | null>(null);
  const read = useRead('portal.bounties', { path: { programId }, query: { limit: 200 } });
  const skeleton = (
    <Card>
      <SkeletonText lines={5} />
    </Card>
  );
  return (
    <Page title={t('title')} lede={t('lede', { program: programName })} width="reading">
      <Loaded read={read} what={t('what')} skeleton={skeleton}>
        {({ bounties }) =>
          bounties.length === 0 ? (
            <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} />
          ) : (
            bounties.map((bounty) => (
              <BountyCard key={bounty.id} bounty={bounty} onSubmit={status === 'active' ? () => setChosen(bounty) : undefined} />
            ))
          )
        }
      </Loaded>
      {chosen === null ? null : <SubmitSheet key={chosen.id} bounty={chosen} onClose={() => setChosen(null)} />}
    </Page>
  );
}

function BountyCard({ bounty, onSubmit }: { bounty: Bounty; onSubmit: (() => void) | undefined }) {
  const { t } = useTranslation('portal-bounties');
  const { name, description, milestone, rewardCents, currency, state } = bounty;
  const [tone, icon] = marks[state];
  return (
    <Card
      title={<bdi>{name}</bdi>}
      actions={
        <Status tone={tone} icon={icon}>
          {t(`state.${state}`)}
        </Status>
      }
    >
      <Stack gap={12}>
        <p className={styles.reward}>
          <Money cents={rewardCents} currency={currency} />
        </p>
        <p className={styles.description}>{description}</p>
        <Days bounty={bounty} />
        <OrderProgress bounty={bounty} />
        <LastSubmission bounty={bounty} />
        {milestone === 'content' && state === 'open' && onSubmit ? (
          <div>
            <Button kind="primary" onClick={onSubmit}>
              {t('submit.open')}
            </Button>
          </div>
        ) : null}
      </Stack>
    </Card>
  );
}

function Days({ bounty: { startsOn, endsOn, state } }: { bounty: Bounty }) {
  const { t } = useTranslation('portal-bounties');
  const { language } = useFigures();
  const end = endsOn === null ? null : formatDay(endsOn, language);
  const start = formatDay(startsOn, language);
  if (state === 'upcoming') return <Text size="small">{end === null ? t('from', { start }) : t('between', { start, end })}</Text>;
  return end === null ? null : <Text size="small">{t('until', { end })}</Text>;
}

function OrderProgress({ bounty: { milestone, targetOrders, orders, state } }: { bounty: Bounty }) {
  const { t } = useTranslation('portal-bounties');
  if (milestone !== 'orders' || targetOrders === null || state === 'upcoming') return null;
  const label = t('progress', { orders: Math.min(orders, targetOrders), target: targetOrders });
  return (
    <div>
      <Text size="small">{label}</Text>
      <Progress value={Math.min(orders, targetOrders)} max={targetOrders} label={label} size={6} />
    </div>
  );
}

/** What was submitted, and why it was rejected. */
function LastSubmission({ bounty: { submission } }: { bounty: Bounty }) {
  const { t } = useTranslation('portal-bounties');
  if (submission === null) return null;
  return (
    <div>
      <Text size="small">{t(`submission.${submission.status}`)}</Text>
      <p className={styles.url}>{submission.url}</p>
      {submission.decisionNote === null ? null : <Text>{submission.decisionNote}</Text>}
    </div>
  );
}
