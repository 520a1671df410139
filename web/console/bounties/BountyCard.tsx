// One bounty: what earns it, what it cost so far, and ending or archiving it.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDay } from '../../ui/figures/dates.ts';
import { dayOf } from '../../ui/figures/days.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { Progress } from '../../ui/marks/progress.tsx';
import { Status } from '../../ui/marks/status.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import styles from './bounties.module.css';
import { affected, type Bounty } from './bounty-values.ts';

const marks = {
  upcoming: ['neutral', 'clock'],
  running: ['approved', 'check'],
  ended: ['neutral', 'pause'],
  archived: ['neutral', 'archive'],
} as const;

type Phase = keyof typeof marks;

export function BountyCard({ bounty, onEdit }: { bounty: Bounty; onEdit: () => void }) {
  const { t } = useTranslation('bounties');
  const phase = usePhase(bounty);
  const [tone, icon] = marks[phase];
  return (
    <Card
      title={<bdi>{bounty.name}</bdi>}
      actions={
        <Status tone={tone} icon={icon}>
          {t(`phase.${phase}`)}
        </Status>
      }
    >
      <Stack gap={16}>
        <p className={styles.description}>{bounty.description}</p>
        <Terms bounty={bounty} />
        <Budget bounty={bounty} />
        <Actions bounty={bounty} phase={phase} onEdit={onEdit} />
      </Stack>
    </Card>
  );
}

function usePhase({ status, startsOn, endsOn }: Bounty): Phase {
  const today = useToday();
  if (status === 'archived') return 'archived';
  if (startsOn > today) return 'upcoming';
  return endsOn !== null && endsOn < today ? 'ended' : 'running';
}

function useToday(): string {
  const { timezone } = useProgram();
  return dayOf(useFigures().now, timezone);
}

function Terms({ bounty: { milestone, targetOrders, rewardCents, currency, startsOn, endsOn, awardCount } }: { bounty: Bounty }) {
  const { t } = useTranslation('bounties');
  const { language } = useFigures();
  const start = formatDay(startsOn, language);
  const rows = [
    {
      label: t('field.milestone'),
      value: milestone === 'orders' ? t('orders', { count: targetOrders ?? 0 }) : t(`milestone.${milestone}`),
    },
    { label: t('field.reward'), value: <Money cents={rewardCents} currency={currency} /> },
    { label: t('field.days'), value: endsOn === null ? t('from', { start }) : t('between', { start, end: formatDay(endsOn, language) }) },
    { label: t('field.earned'), value: t('affiliates', { count: awardCount }) },
  ];
  return <Facts rows={rows} columns={2} />;
}

function Budget({ bounty: { spentCents, budgetCents, currency } }: { bounty: Bounty }) {
  const { t } = useTranslation('bounties');
  const { language } = useFigures();
  const spent = formatMoney(spentCents, currency, language);
  if (budgetCents === null) return <Text size="small">{t('spent', { spent })}</Text>;
  const label = t('spentOf', { spent, budget: formatMoney(budgetCents, currency, language) });
  return (
    <div>
      <Text size="small">{label}</Text>
      <Progress value={spentCents} max={budgetCents} label={label} size={6} />
    </div>
  );
}

function Actions({ bounty: { id, name }, phase, onEdit }: { bounty: Bounty; phase: Phase; onEdit: () => void }) {
  const { t } = useTranslation('bounties');
  const { id: programId, can } = useProgram();
  const today = useToday();
  const update = useAction('bounties.update', { invalidates: affected });
  const change = (body: { endsOn?: string; status?: 'active' | 'archived' }, done: string) =>
    update.mutate({ path: { programId, id }, body }, { onSuccess: () => showToast(done), onError: showProblem });
  if (!can('terms.write')) return null;
  if (phase === 'archived')
    return (
      <Row>
        <Button icon="check" isBusy={update.isPending} onClick={() => change({ status: 'active' }, t('restored', { name }))}>
          {t('restore')}
        </Button>
      </Row>
    );
  return (
    <Row>
      <Button icon="edit" onClick={onEdit}>
        {t('edit')}
      </Button>
      {phase === 'running' ? (
        <Button icon="pause" isBusy={update.isPending} onClick={() => change({ endsOn: today }, t('ended', { name }))}>
          {t('end')}
        </Button>
      ) : null}
      <Button icon="archive" isBusy={update.isPending} onClick={() => change({ status: 'archived' }, t('archived', { name }))}>
        {t('archive')}
      </Button>
    </Row>
  );
}
