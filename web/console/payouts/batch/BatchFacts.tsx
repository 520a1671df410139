// Who prepared and approved the batch, with which provider and until when commissions were included.
import { useTranslation } from 'react-i18next';
import { useMemberName } from '../../../session/member-name.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import type { Batch } from './batch.ts';

type Actor = Batch['dispatchedBy'];

export function BatchFacts({ batch }: { batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const nameOf = useActorName();
  const { totalCents, paidCents, currency, cutoffAt, createdAt, approvedAt, approvedBy, exportedAt, note } = batch;
  const rows = [
    { label: t('facts.total'), value: <Money cents={totalCents} currency={currency} /> },
    { label: t('facts.paid'), value: <Money cents={paidCents} currency={currency} /> },
    { label: t('facts.provider'), value: batch.provider?.name ?? t('manual') },
    { label: t('facts.dispatched'), value: <DateTime value={createdAt} as="exact" /> },
    { label: t('facts.dispatchedBy'), value: nameOf(batch.dispatchedBy) },
    { label: t('facts.cutoff'), value: <DateTime value={cutoffAt} as="exact" /> },
  ];
  if (approvedBy !== null) rows.push({ label: t('facts.approvedBy'), value: nameOf(approvedBy) });
  if (approvedAt !== null) rows.push({ label: t('facts.approved'), value: <DateTime value={approvedAt} as="exact" /> });
  if (exportedAt !== null) rows.push({ label: t('facts.exported'), value: <DateTime value={exportedAt} as="exact" /> });
  if (note !== null) rows.push({ label: t('facts.note'), value: note });
  return (
    <Card title={t('facts.title')}>
      <Facts rows={rows} />
    </Card>
  );
}

/** The name of a member, or what acted without one. */
export function useActorName(): (actor: Actor) => string {
  const { t } = useTranslation('payout-batch');
  const memberName = useMemberName();
  return (actor) => memberName(actor) ?? t(`actor.${actor.kind}`);
}
