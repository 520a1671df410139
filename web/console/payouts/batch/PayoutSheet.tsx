// One payout: its state with the next step, its history, and what can be done about it.
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { DownloadButton } from '../../../states/download-button.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { Converted } from '../../../ui/figures/converted.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatDateTime, formatNear } from '../../../ui/figures/dates.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Facts, Section } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { PayoutStatus } from '../../../ui/marks/status.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { InvoiceItems } from '../../invoices/InvoiceItems.tsx';
import { useActorName } from './BatchFacts.tsx';
import type { Batch } from './batch.ts';
import { nextKey } from './batch.ts';
import { PayoutActions } from './PayoutActions.tsx';
import type { PayoutDetail } from './payout-detail.ts';

type Props = {
  id: string;
  batch: Batch;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
};

export function PayoutSheet({ id, batch, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const read = useRead('payouts.get', { path: { programId, id } }, { refreshMs: 4000 });
  const title = read.data ? <Money cents={read.data.amountCents} currency={read.data.currency} /> : t('payout.title');
  return (
    <Sheet isOpen onClose={onClose} title={title} onPrevious={onPrevious} onNext={onNext}>
      <Loaded read={read} what={t('payout.what')} skeleton={<SkeletonText lines={8} />}>
        {(payout) => <Content payout={payout} batch={batch} />}
      </Loaded>
    </Sheet>
  );
}

function Content({ payout, batch }: { payout: PayoutDetail; batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const { href, id: programId } = useProgram();
  const nameOf = useActorName();
  const affiliate = useRead('affiliates.get', { path: { programId, id: payout.affiliateId } });
  const name = affiliate.data ? `${affiliate.data.firstName} ${affiliate.data.lastName}` : '…';
  const facts = [
    {
      label: t('column.affiliate'),
      value: (
        <Link href={href(`affiliates/${payout.affiliateId}`)}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { label: t('column.reference'), value: payout.reference ?? '–' },
    { label: t('payout.commissions'), value: payout.lines.length },
    { label: t('payout.attempts'), value: payout.attempts },
  ];
  if (payout.exchange !== null)
    facts.unshift({ label: t('payout.paidAs'), value: <Converted exchange={payout.exchange} currency={payout.currency} /> });
  if (payout.failureReason !== null) facts.push({ label: t('column.reason'), value: payout.failureReason });
  if (payout.note !== null) facts.push({ label: t('facts.note'), value: payout.note });
  return (
    <Stack gap={20}>
      <Stack gap={8}>
        <div>
          <PayoutStatus state={payout.status} />
        </div>
        <NextStep payout={payout} batch={batch} />
      </Stack>
      <PayoutActions payout={payout} batch={batch} />
      <Facts rows={facts} />
      <Documents payoutId={payout.id} status={payout.status} />
      <Section title={t('payout.history')}>
        <Facts
          rows={payout.history.map(({ status, createdAt, actor }) => ({
            label: <PayoutStatus state={status} />,
            value: (
              <>
                <DateTime value={createdAt} as="exact" /> · <bdi>{nameOf(actor)}</bdi>
              </>
            ),
          }))}
        />
      </Section>
    </Stack>
  );
}

/** The receipt, and the invoice of a paid payout with its cancellation. */
function Documents({ payoutId, status }: { payoutId: string; status: PayoutDetail['status'] }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const isDocumented = status === 'paid' || status === 'returned';
  const read = useRead('invoices.list', { path: { programId }, query: { payoutId } }, { enabled: isDocumented });
  const load = () => call('payoutReceipts.get', { path: { programId, id: payoutId }, query: { format: 'pdf', language } });
  return (
    <Section title={t('payout.documents')}>
      <Stack gap={16}>
        {read.data && read.data.invoices.length > 0 ? <InvoiceItems invoices={read.data.invoices} /> : null}
        <div>
          <DownloadButton size="small" name={`receipt-${payoutId.slice(-8)}.pdf`} load={load}>
            {t('payout.receipt')}
          </DownloadButton>
        </div>
      </Stack>
    </Section>
  );
}

/** "PayPal hasn't confirmed this payout since 14:02. We check again at 14:20 and never send it twice." */
function NextStep({ payout, batch }: { payout: PayoutDetail; batch: Batch }) {
  const { t } = useTranslation('payout-batch');
  const figures = useFigures();
  const { status, sentAt, nextCheckAt } = payout;
  const provider = batch.provider?.name ?? t('manual');
  if (status === 'reconcile_required' && sentAt !== null) {
    const since = formatDateTime(sentAt, figures, figures.now);
    const next = nextCheckAt === null ? null : formatNear(nextCheckAt, figures.now, figures);
    return <Text>{next === null ? t('payout.unknown', { provider, since }) : t('payout.unknownNext', { provider, since, next })}</Text>;
  }
  return <Text>{t(nextKey(status, batch), { provider })}</Text>;
}
