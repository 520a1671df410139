// Below the path: the facts of the order, its commissions, refunds and ledger entries.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime, Day } from '../../../ui/figures/date-time.tsx';
import { formatDecimal } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts, RowList } from '../../../ui/layout/card.tsx';
import { InlineList } from '../../../ui/layout/inline-list.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Grid, Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { MoneyStatus } from '../../../ui/marks/status.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { OrderAmount } from '../OrderAmount.tsx';
import { Disputes } from './disputes/Disputes.tsx';
import styles from './order.module.css';
import { changeTitle, type Explanation, nameOf, ruleTitle, type Say } from './say.ts';

type Props = { explanation: Explanation; say: Say };

export function OrderDetails({ explanation, say }: Props) {
  return (
    <Grid columns="main-aside" gap={16}>
      <Stack gap={16}>
        <Commissions explanation={explanation} say={say} />
        <Disputes explanation={explanation} />
        <Refunds explanation={explanation} say={say} />
        <Changes explanation={explanation} say={say} />
        <Ledger explanation={explanation} say={say} />
      </Stack>
      <Stack gap={16}>
        <OrderFacts explanation={explanation} />
      </Stack>
    </Grid>
  );
}

function OrderFacts({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation('conversions');
  const { orderId, occurredAt, totals, currency, capCents, exchange } = explanation;
  const original = exchange
    ? [
        { label: t('order.original'), value: <Money cents={exchange.amountCents} currency={exchange.currency} /> },
        { label: t('order.rate'), value: <ExchangeRate exchange={exchange} /> },
      ]
    : [];
  const rows = [
    { label: t('order.orderId'), value: <CopyButton value={orderId} isMono /> },
    { label: t('order.placed'), value: <DateTime value={occurredAt} as="exact" isFocusable /> },
    ...original,
    { label: t('order.amount'), value: <Money cents={totals.amountCents} currency={currency} /> },
    { label: t('order.refunded'), value: <Money cents={totals.refundedCents} currency={currency} /> },
    { label: t('order.net'), value: <Money cents={totals.netCents} currency={currency} /> },
  ];
  const cap = capCents === null ? [] : [{ label: t('order.cap'), value: <Money cents={capCents} currency={currency} /> }];
  return (
    <Card title={t('order.facts')}>
      <Facts rows={[...rows, ...cap]} />
    </Card>
  );
}

/** "1.0842 (26 Nov)" */
function ExchangeRate({ exchange: { rate, quotedOn } }: { exchange: NonNullable<Explanation['exchange']> }) {
  const { language } = useFigures();
  return (
    <>
      {formatDecimal(rate, language)} (<Day value={quotedOn} />)
    </>
  );
}

function Commissions({ explanation, say }: Props) {
  const { t } = useTranslation('conversions');
  const { href } = useProgram();
  const { commissions, adjustments, currency } = explanation;
  const rows = [
    ...commissions.map((one) => ({ ...one, id: one.id ?? '', status: one.status ?? ('pending' as const), detail: ruleTitle(one, say) })),
    ...adjustments.map((one) => ({ ...one, detail: one.note ?? t('order.adjustment') })),
  ];
  return (
    <Card title={t('order.commissions')} isFlush>
      {rows.length === 0 ? <p className={styles.none}>{t('order.noCommissions')}</p> : null}
      <RowList>
        {rows.map(({ id, affiliateId, level, amountCents, reversedCents, status, detail }) => (
          <li key={id} className={styles.row}>
            <span className={styles.rowText}>
              <Link href={href(`affiliates/${affiliateId}`)}>
                <bdi>{nameOf(explanation, affiliateId)}</bdi>
              </Link>
              <Text tone="ink-3" size="small">
                <InlineList>
                  <span>{t(level === 1 ? 'order.level1' : 'order.level2')}</span>
                  <span>{detail}</span>
                </InlineList>
              </Text>
            </span>
            <MoneyStatus state={status} />
            <span className={styles.rowAmount}>
              <Money cents={amountCents} currency={currency} />
              {reversedCents === 0 ? null : (
                <span className={styles.reversed}>
                  <Money cents={-reversedCents} currency={currency} />
                </span>
              )}
            </span>
          </li>
        ))}
      </RowList>
    </Card>
  );
}

function Refunds({ explanation: { refunds, currency }, say }: Props) {
  const { t } = useTranslation('conversions');
  if (refunds.length === 0) return null;
  return (
    <Card title={t('order.refunds')} isFlush>
      <RowList>
        {refunds.map(({ id, occurredAt, reason, amountCents, original, reversedCents, undoneAt }) => (
          <li key={id} className={styles.row}>
            <span className={styles.rowText}>
              <span>
                {say.t(`refundReason.${reason}`)}
                {undoneAt === null ? '' : ` (${t('order.undone')})`}
              </span>
              <Text tone="ink-3" size="small">
                <DateTime value={occurredAt} as="exact" />
              </Text>
            </span>
            <span className={styles.rowAmount}>
              <OrderAmount cents={amountCents} currency={currency} original={original} />
              <span className={styles.reversed}>
                <Money cents={-reversedCents} currency={currency} />
              </span>
            </span>
          </li>
        ))}
      </RowList>
    </Card>
  );
}

function Changes({ explanation, say }: Props) {
  const { t } = useTranslation('conversions');
  const { changes, currency } = explanation;
  if (changes.length === 0) return null;
  return (
    <Card title={t('order.changes')} isFlush>
      <RowList>
        {changes.map((change) => (
          <li key={change.id} className={styles.row}>
            <span className={styles.rowText}>
              <span>{changeTitle(change, explanation, say)}</span>
              <Text tone="ink-3" size="small">
                <InlineList>
                  <bdi>{change.actor.name ?? t(`order.actors.${change.actor.kind}`)}</bdi>
                  <DateTime value={change.createdAt} as="exact" />
                  {change.note === null ? null : <span>{change.note}</span>}
                </InlineList>
              </Text>
            </span>
            <span className={styles.rowAmount}>
              {change.kind === 'moved' ? null : (
                <Money cents={change.kind === 'cancelled' ? -change.amountCents : change.amountCents} currency={currency} />
              )}
            </span>
          </li>
        ))}
      </RowList>
    </Card>
  );
}

function Ledger({ explanation, say }: Props) {
  const { t } = useTranslation('conversions');
  const { id: programId } = useProgram();
  const read = useRead('ledgerEntries.list', {
    path: { programId },
    query: { conversionId: explanation.conversionId, limit: 50, sort: 'seq' },
  });
  return (
    <Card title={t('order.ledger')} isFlush>
      <Loaded read={read} what={t('order.whatLedger')} skeleton={<Skeleton height={96} shape="block" />}>
        {({ entries }) => (
          <>
            {entries.length === 0 ? <p className={styles.none}>{t('order.noLedger')}</p> : null}
            <RowList>
              {entries.map(({ id, kind, amountCents, currency, createdAt, affiliateId }) => (
                <li key={id} className={styles.row}>
                  <span className={styles.rowText}>
                    <span>{say.t(`entry.${kind}`)}</span>
                    <Text tone="ink-3" size="small">
                      <InlineList>
                        <bdi>{nameOf(explanation, affiliateId)}</bdi>
                        <DateTime value={createdAt} as="exact" />
                      </InlineList>
                    </Text>
                  </span>
                  <span className={styles.rowAmount}>
                    <Money cents={amountCents} currency={currency} />
                  </span>
                </li>
              ))}
            </RowList>
          </>
        )}
      </Loaded>
    </Card>
  );
}
