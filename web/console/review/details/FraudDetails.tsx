// A fraud alert: what was observed, the path of the order, and what each decision does to the money.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { Item } from '../kind-of.ts';
import styles from '../review.module.css';
import type { DetailsProps } from '../use-queue.ts';
import { Decisions } from './Decisions.tsx';
import { DetailsFrame } from './DetailsFrame.tsx';
import { useFollowUp } from './use-follow-up.ts';

type Alert = Result<'fraudEvents.get'>;

export function FraudDetails({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId, can, currency } = useProgram();
  const { language } = useFigures();
  const read = useRead('fraudEvents.get', { path: { programId, id: item.id }, query: { expand: 'affiliate' } });
  const resolve = useResolve({ item, finish });
  const isPayoutChange = read.data?.kind === 'payout_change_reported';
  const amount = item.amountCents ? formatMoney(item.amountCents, currency, language) : null;
  const decisions = (
    <Decisions
      isAllowed={can('fraud.decide')}
      isBusy={resolve.isBusy}
      approve={{
        label: t('fraud.approve'),
        effect: isPayoutChange ? t('fraud.releasePayouts') : amount ? t('fraud.approveEffect', { amount }) : t('fraud.approveNone'),
        run: () => resolve.run('legitimate', ''),
      }}
      reject={{
        label: t('fraud.reject'),
        prompt: t('fraud.prompt'),
        help: t('fraud.promptHelp'),
        submit: t('fraud.submit'),
        maxLength: 2000,
        effect: `${isPayoutChange ? t('fraud.keepPayouts') : amount ? t('fraud.rejectEffect', { amount }) : t('fraud.rejectNone')} ${t('undoable')}`,
        run: (note) => resolve.run('fraud', note),
      }}
    />
  );
  const isOrder = item.title !== item.affiliateName;
  return (
    <DetailsFrame
      item={item}
      title={isOrder ? t('fraud.order', { orderId: item.title }) : item.title}
      detail={t('kind.fraud_alert')}
      decisions={decisions}
    >
      <Loaded read={read} what={t('whatItem')} skeleton={<SkeletonText lines={6} />}>
        {(alert) => <Evidence item={item} alert={alert} />}
      </Loaded>
    </DetailsFrame>
  );
}

function Evidence({ item, alert }: { item: Item; alert: Alert }) {
  const { t } = useTranslation('review');
  const { currency, href } = useProgram();
  const rows = [
    {
      label: t('fraud.affiliate'),
      value: (
        <Link href={href(`affiliates/${item.affiliateId}`)}>
          <bdi>{item.affiliateName}</bdi>
        </Link>
      ),
    },
    { label: t('fraud.detected'), value: <DateTime value={alert.createdAt} as="exact" /> },
    ...(item.amountCents ? [{ label: t('fraud.held'), value: <Money cents={item.amountCents} currency={currency} /> }] : []),
  ];
  return (
    <div className={styles.sheet}>
      <Facts rows={rows} columns={2} />
      <h3 className={styles.asideTitle}>{t('fraud.evidence')}</h3>
      <Facts rows={[{ label: t('kind.fraud_alert'), value: t(`fact.${alert.kind}`) }, ...useObserved(alert)]} />
      {alert.conversionId === null ? (
        <p className={styles.calm}>{t('fraud.noOrder')}</p>
      ) : (
        <Link href={href(`conversions/${alert.conversionId}`)}>{t('fraud.openOrder')}</Link>
      )}
    </div>
  );
}

const observed = [
  'buyerIs',
  'sharedWith',
  'seenAt',
  'mailboxProvider',
  'secondsAfterClick',
  'adParameter',
  'adHost',
  'keyword',
  'clickId',
  'method',
] as const;

function useObserved({ evidence }: Alert) {
  const { t } = useTranslation('review');
  return observed.flatMap((field) => {
    const value = evidence[field];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return [{ label: t(`fraud.observed.${field}`), value: <Observed field={field} value={String(value)} evidence={evidence} /> }];
  });
}

type ObservedProps = { field: (typeof observed)[number]; value: string; evidence: Alert['evidence'] };

function Observed({ field, value, evidence: { otherAffiliateId } }: ObservedProps) {
  const { t } = useTranslation('review');
  const { href } = useProgram();
  if (field === 'buyerIs') return value === 'upline' ? t('fraud.uplineSelf') : t('fraud.affiliateSelf');
  if (field === 'seenAt') return <DateTime value={value} as="exact" />;
  if (field !== 'sharedWith') return value;
  if (typeof otherAffiliateId !== 'string') return t('fraud.sharedBuyer');
  return <Link href={href(`affiliates/${otherAffiliateId}`)}>{t('fraud.sharedAffiliate')}</Link>;
}

function useResolve({ item, finish }: DetailsProps) {
  const { t } = useTranslation('review');
  const { id: programId } = useProgram();
  const action = useAction('fraudEvents.resolveLater');
  const followUp = useFollowUp({ item, finish });
  const run = (resolution: 'legitimate' | 'fraud', note: string) =>
    action.mutate(
      { path: { programId, id: item.id }, body: { resolution, note: note || null } },
      followUp(t(`fraud.done.${resolution}`, { title: item.title })),
    );
  return { run, isBusy: action.isPending };
}
