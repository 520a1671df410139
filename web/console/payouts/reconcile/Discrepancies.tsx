// The differences: the provider's record next to ours, what explains each, and the action that resolves it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { PayoutStatus } from '../../../ui/marks/status.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readOne } from '../../../url/url-state.ts';
import styles from '../payouts.module.css';
import type { Discrepancy } from './discrepancy.ts';
import { ResolveSheet } from './ResolveSheet.tsx';

const views = ['open', 'resolved'] as const;
const readView = (raw: RawSearch) => readOne(raw, 'show', views) ?? 'open';

export function Discrepancies({ currency }: { currency: string }) {
  const { t } = useTranslation('reconcile');
  const { id: programId } = useProgram();
  const [view, change] = useSearchState(readView);
  const [resolving, setResolving] = useState<Discrepancy | null>(null);
  const query = { status: [view], expand: 'affiliate,provider,payout', limit: 100, sort: '-createdAt' as const };
  const read = useRead('payoutDiscrepancies.list', { path: { programId }, query });
  return (
    <Card
      title={t('discrepancies')}
      actions={
        <Segments
          label={t('discrepancies')}
          tabs={views.map((id) => ({ id, label: t(`show.${id}`) }))}
          value={view}
          onChange={(show) => change({ show: show === 'open' ? null : show })}
        />
      }
    >
      <Loaded read={read} what={t('discrepancies')} skeleton={<SkeletonText lines={5} />}>
        {({ discrepancies }) =>
          discrepancies.length === 0 ? (
            <Text>{t(`none.${view}`)}</Text>
          ) : (
            <Stack gap={24}>
              {discrepancies.map((each) => (
                <Difference key={each.id} discrepancy={each} currency={currency} onResolve={() => setResolving(each)} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {resolving === null ? null : <ResolveSheet key={resolving.id} discrepancy={resolving} onClose={() => setResolving(null)} />}
    </Card>
  );
}

type Props = { discrepancy: Discrepancy; currency: string; onResolve: () => void };

function Difference({ discrepancy, currency, onResolve }: Props) {
  const { t } = useTranslation('reconcile');
  const { can } = useProgram();
  const { language } = useFigures();
  const { kind, amountCents, payout, status, note, resolvedAt, provider } = discrepancy;
  const money = (cents: number | null | undefined) =>
    cents == null ? '–' : formatMoney(cents, discrepancy.currency ?? currency, language);
  const values = { provider: provider?.name ?? '', theirs: money(amountCents), ours: money(payout?.amountCents) };
  return (
    <article aria-label={t(`kind.${kind}.title`)}>
      <Stack gap={8}>
        <strong>{t(`kind.${kind}.title`)}</strong>
        <Text>{t(`kind.${kind}.text`, values)}</Text>
        <div className={styles.beside}>
          <Theirs discrepancy={discrepancy} currency={currency} />
          <Ours discrepancy={discrepancy} />
        </div>
        {status === 'open' ? (
          <>
            <Text tone="ink">{t(`kind.${kind}.action`, values)}</Text>
            {can('payouts.reconcile') ? (
              <div>
                <Button icon="check" onClick={onResolve}>
                  {t('resolve.open')}
                </Button>
              </div>
            ) : null}
          </>
        ) : (
          <Text>
            {t('resolved')} {resolvedAt === null ? null : <DateTime value={resolvedAt} as="exact" />}
            {note === null ? null : <>: {note}</>}
          </Text>
        )}
      </Stack>
    </article>
  );
}

function Theirs({ discrepancy, currency }: { discrepancy: Discrepancy; currency: string }) {
  const { t } = useTranslation('reconcile');
  const { kind, amountCents, reference, provider } = discrepancy;
  return (
    <div className={styles.record}>
      <div className={styles.recordTitle}>
        <bdi>{provider?.name ?? t('theirs.title')}</bdi>
      </div>
      {kind === 'missing_payment' ? (
        <span className={styles.missing}>{t('noPayment')}</span>
      ) : (
        <Facts
          rows={[
            {
              label: t('amount'),
              value: amountCents === null ? '–' : <Money cents={amountCents} currency={discrepancy.currency ?? currency} />,
            },
            { label: t('reference'), value: reference },
          ]}
        />
      )}
    </div>
  );
}

function Ours({ discrepancy: { payout, affiliate } }: { discrepancy: Discrepancy }) {
  const { t } = useTranslation('reconcile');
  const { href } = useProgram();
  return (
    <div className={styles.record}>
      <div className={styles.recordTitle}>{t('ours.title')}</div>
      {payout === undefined ? (
        <span className={styles.missing}>{affiliate ? t('noPayoutFor', { name: affiliate.name }) : t('noPayout')}</span>
      ) : (
        <Facts
          rows={[
            { label: t('amount'), value: <Money cents={payout.amountCents} currency={payout.currency} /> },
            { label: t('affiliate'), value: affiliate?.name ?? '–' },
            { label: t('status'), value: <PayoutStatus state={payout.status} /> },
            {
              label: t('payout'),
              value: (
                <Link href={href(`payouts/batches/${payout.batchId}?payout=${payout.id}`)}>{payout.reference ?? t('openPayout')}</Link>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}
