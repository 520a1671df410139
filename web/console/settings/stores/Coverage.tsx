// Whether the orders that a store sent were recorded, and later reports that differ from the recorded order.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Count, Percent } from '../../../ui/figures/count.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts, RowList } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from '../connections/connections.module.css';

type CoverageOfStore = Result<'providers.coverage'>;

export function Coverage({ storeId }: { storeId: string }) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const read = useRead('providers.coverage', { path: { programId, id: storeId } });
  return (
    <Stack gap={20}>
      <Card title={t('coverage.title')} detail={t('coverage.period')}>
        <Loaded read={read} what={t('coverage.what')} skeleton={<SkeletonText lines={4} />}>
          {(coverage) => <Totals coverage={coverage} />}
        </Loaded>
      </Card>
      {read.data && read.data.missing.length > 0 ? <Missing coverage={read.data} /> : null}
      <Mismatches storeId={storeId} />
    </Stack>
  );
}

function Totals({ coverage }: { coverage: CoverageOfStore }) {
  const { t } = useTranslation('connections');
  const { knownOrders, creditedOrders, unattributedOrders, missingOrders, coveragePercent } = coverage;
  if (coveragePercent === null) return <Text>{t('coverage.none')}</Text>;
  return (
    <Stack gap={16}>
      <Text tone="ink" size="lead">
        {missingOrders === 0 ? t('coverage.complete') : t('coverage.incomplete', { count: missingOrders })}
      </Text>
      <Facts
        columns={3}
        rows={[
          { label: t('coverage.percent'), value: <Percent value={coveragePercent} decimals={1} /> },
          { label: t('coverage.known'), value: <Count value={knownOrders} /> },
          { label: t('coverage.credited'), value: <Count value={creditedOrders} /> },
          { label: t('coverage.unattributed'), value: <Count value={unattributedOrders} /> },
          { label: t('coverage.missing'), value: <Count value={missingOrders} /> },
        ]}
      />
    </Stack>
  );
}

function Missing({ coverage: { missing } }: { coverage: CoverageOfStore }) {
  const { t } = useTranslation('connections');
  return (
    <Card title={t('coverage.missing')} detail={t('coverage.missingHelp')} isFlush>
      <RowList>
        {missing.map(({ orderId, amountCents, currency, occurredAt }) => (
          <li key={orderId} className={styles.item}>
            <span className={styles.name}>{orderId}</span>
            <DateTime value={occurredAt} />
            <Money cents={amountCents} currency={currency} />
          </li>
        ))}
      </RowList>
    </Card>
  );
}

/** Orders of this store that were reported again with another amount, by the store or through the API. */
function Mismatches({ storeId }: { storeId: string }) {
  const { t } = useTranslation('connections');
  const { id: programId, href } = useProgram();
  const query = { limit: 50, sort: '-createdAt' as const, providerId: storeId };
  const read = useRead('orderMismatches.list', { path: { programId }, query });
  return (
    <Card title={t('mismatch.title')} detail={t('mismatch.detail')} isFlush>
      <Loaded
        read={read}
        what={t('mismatch.what')}
        skeleton={
          <div className={styles.padded}>
            <SkeletonText lines={3} />
          </div>
        }
      >
        {({ orderMismatches }) =>
          orderMismatches.length === 0 ? (
            <div className={styles.padded}>
              <Text>{t('mismatch.none')}</Text>
            </div>
          ) : (
            <RowList>
              {orderMismatches.map(({ id, conversionId, orderId, amountCents, recordedCents, currency, createdAt }) => (
                <li key={id} className={styles.item}>
                  <Link href={href(`conversions/${conversionId}`)}>{orderId}</Link>
                  <span>
                    {t('mismatch.recorded')} <Money cents={recordedCents} currency={currency} />
                    <span className={styles.detail}>
                      {' '}
                      {t('mismatch.reported')} <Money cents={amountCents} currency={currency} />
                    </span>
                  </span>
                  <DateTime value={createdAt} />
                </li>
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}
