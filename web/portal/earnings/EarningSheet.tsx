// One earning: what happened to it and happens next, and why it has this rate.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate } from '../../ui/figures/dates.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { MoneyStatus } from '../../ui/marks/status.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Timeline, type TimelineStep } from '../../ui/path/timeline.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { moneyStateOf } from './EarningRow.tsx';
import styles from './earnings.module.css';
import { useEarningTexts } from './use-earning-texts.ts';
import { Why } from './Why.tsx';

type Explained = Result<'portal.earning'>;

type Props = { id: string | undefined; onClose: () => void /** The earnings with a sub ID. */; hrefOf: (subId: string) => string };

export function EarningSheet({ id, onClose, hrefOf }: Props) {
  const { t } = useTranslation('portal-earnings');
  const { programId } = useAccount();
  const isOpen = id !== undefined;
  const read = useRead('portal.earning', { path: { programId, commissionId: id ?? '' } }, { enabled: isOpen });
  const { titleOf } = useEarningTexts();
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={read.data ? titleOf(read.data) : t('sheet.title')}>
      <Loaded read={read} what={t('sheet.what')} skeleton={<SkeletonText lines={6} />}>
        {(earning) => <Content earning={earning} hrefOf={hrefOf} />}
      </Loaded>
    </Sheet>
  );
}

function Content({ earning, hrefOf }: { earning: Explained } & Pick<Props, 'hrefOf'>) {
  const { t } = useTranslation('portal-earnings');
  const { currency } = useAccount();
  const { stateOf } = useEarningTexts();
  const { language } = useFigures();
  const steps = useSteps(earning);
  return (
    <Stack gap={24}>
      <Stack gap={8}>
        <p className={styles.sum}>
          <Money cents={earning.amountCents - earning.reversedCents} currency={currency} />
        </p>
        <div>
          <MoneyStatus state={moneyStateOf(earning.state)} />
        </div>
        <Text tone="ink">{stateOf(earning)}</Text>
        {earning.reversedCents > 0 ? (
          <Text>
            {t('sheet.reversed', {
              reversed: formatMoney(earning.reversedCents, currency, language),
              earned: formatMoney(earning.amountCents, currency, language),
            })}
          </Text>
        ) : null}
      </Stack>
      <SubIds subIds={earning.subIds} hrefOf={hrefOf} />
      <Section title={t('sheet.timeline')}>
        <Timeline label={t('sheet.timeline')} steps={steps} />
      </Section>
      {earning.why === null ? null : (
        <Section title={t('sheet.why')}>
          <Why why={earning.why} cents={earning.amountCents} />
        </Section>
      )}
    </Stack>
  );
}

/** The sub IDs of the link that was clicked; each opens the earnings that have it. */
function SubIds({ subIds, hrefOf }: Pick<Explained, 'subIds'> & Pick<Props, 'hrefOf'>) {
  const { t } = useTranslation('portal-earnings');
  if (subIds.length === 0) return null;
  return (
    <Section title={t('subIds.title')}>
      <Row>
        {subIds.map((subId, index) =>
          subId === '' ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a sub ID.
            <ButtonLink key={index} size="small" icon="filter" href={hrefOf(subId)}>
              {t('subIds.one', { number: index + 1, value: subId })}
            </ButtonLink>
          ),
        )}
      </Row>
    </Section>
  );
}

const stateNames = { done: 'done', current: 'now', upcoming: 'ahead' } as const;

function useSteps({ timeline }: Explained): TimelineStep[] {
  const { t } = useTranslation('portal-earnings');
  const { currency } = useAccount();
  const figures = useFigures();
  const dateOf = (at: string | null) => (at === null ? null : formatDate(at, figures, figures.now));
  return timeline.map(({ step, state, startsAt, endsAt, amountCents }) => {
    const until = dateOf(endsAt);
    const amount = formatMoney(amountCents, currency, figures.language);
    const date = until === null ? dateOf(startsAt) : t('step.until', { date: until });
    return {
      id: step,
      title: t(`step.${step}`),
      detail: date === null ? amount : `${amount} · ${date}`,
      state: stateNames[state],
      money: step === 'earned' ? 'paid' : step === 'ready' ? 'approved' : step,
    };
  });
}
