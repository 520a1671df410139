// The affiliate's rate card: what a sale earns, product by product, and when it is paid.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDateTime } from '../../ui/figures/dates.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Rate } from '../../ui/figures/rate.tsx';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { toRateValue } from '../earnings/Why.tsx';
import { useAccount } from '../session/account.ts';
import styles from './rates.module.css';
import { Tiers } from './Tiers.tsx';

type RateCard = Result<'portal.rates'>;
type OneRate = RateCard['anythingElse'];

export function Screen() {
  const { t } = useTranslation('portal-rates');
  const { programId, programName } = useAccount();
  const read = useRead('portal.rates', { path: { programId }, query: { limit: 200 } });
  return (
    <Page title={t('title')} lede={t('lede', { program: programName })} width="reading">
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={6} />
          </Card>
        }
      >
        {(card) => (
          <>
            <Main card={card} />
            <Products card={card} />
            <Leads card={card} />
            <Terms card={card} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Main({ card: { anythingElse, currency, products } }: { card: RateCard }) {
  const { t } = useTranslation('portal-rates');
  return (
    <Card title={t(products.length === 0 ? 'everySale' : 'anythingElse')}>
      <p className={styles.main}>
        <RateOf rate={anythingElse} currency={currency} />
      </p>
      <Example rate={anythingElse} currency={currency} />
      <Until rate={anythingElse} />
      <Tiers rate={anythingElse} currency={currency} />
    </Card>
  );
}

function RateOf({ rate, currency }: { rate: OneRate; currency: string }) {
  const { t } = useTranslation('portal-rates');
  if (rate.type === null) return t('none');
  return <Rate value={toRateValue({ ...rate, type: rate.type }, currency)} />;
}

function Example({ rate: { exampleCents, exampleOrderCents }, currency }: { rate: OneRate; currency: string }) {
  const { t } = useTranslation('portal-rates');
  const { language } = useFigures();
  const order = formatMoney(exampleOrderCents, currency, language);
  return <Text>{t('example', { order, earned: formatMoney(exampleCents, currency, language) })}</Text>;
}

/** The last day of a rate that ends. */
function Until({ rate: { validUntil } }: { rate: OneRate }) {
  const { t } = useTranslation('portal-rates');
  const figures = useFigures();
  if (validUntil === null) return null;
  return <Text size="small">{t('until', { time: formatDateTime(validUntil, figures, figures.now) })}</Text>;
}

function Products({ card: { products, currency, anythingElse } }: { card: RateCard }) {
  const { t } = useTranslation('portal-rates');
  if (products.length === 0) return null;
  return (
    <Card title={t('products')} isFlush>
      <ul>
        {products.map(({ productId, name, priceCents, rate }) => (
          <li key={productId} className={styles.productItem}>
            <div className={styles.product}>
              <span className={styles.name}>
                {name}
                <span className={styles.price}>
                  <Money cents={priceCents} currency={currency} />
                </span>
              </span>
              <span className={styles.rate}>
                <RateOf rate={rate} currency={currency} />
                <span className={styles.price}>
                  {t('earns')} <Money cents={rate.exampleCents} currency={currency} />
                </span>
                <Until rate={rate} />
              </span>
            </div>
            {rate.tiers === null || isSame(rate, anythingElse) ? null : (
              <div className={styles.productTiers}>
                <Tiers rate={rate} currency={currency} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Products under the same rule as everything else don't repeat its tiers. */
function isSame(rate: OneRate, other: OneRate): boolean {
  return JSON.stringify([rate.tiers, rate.rate, rate.amountCents]) === JSON.stringify([other.tiers, other.rate, other.amountCents]);
}

function Leads({ card: { leadCents, currency } }: { card: RateCard }) {
  const { t } = useTranslation('portal-rates');
  if (leadCents === null) return null;
  return (
    <Card title={t('leads')}>
      <p className={styles.main}>
        <Rate value={{ type: 'flat', amountCents: leadCents, currency, per: 'lead' }} />
      </p>
      <Text>{t('leadsText')}</Text>
    </Card>
  );
}

function Terms({ card: { holdDays, minimumPayoutCents, attributionDays, currency } }: { card: RateCard }) {
  const { t } = useTranslation('portal-rates');
  return (
    <Card title={t('terms.title')}>
      <Facts
        rows={[
          { label: t('terms.attribution'), value: t('terms.days', { count: attributionDays }) },
          { label: t('terms.hold'), value: t('terms.days', { count: holdDays }) },
          { label: t('terms.minimum'), value: <Money cents={minimumPayoutCents} currency={currency} /> },
        ]}
      />
    </Card>
  );
}
