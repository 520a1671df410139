// What an affiliate earns: the rule that applies to each product, to anything else and to leads, and where a rule takes precedence over
// the affiliate's own rate.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Rate, type RateValue, useRateText } from '../../../../ui/figures/rate.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Skeleton } from '../../../../ui/states/skeleton.tsx';
import styles from '../affiliate.module.css';
import type { Details } from '../details.ts';

type Rates = NonNullable<Read<'affiliates.rates'>['data']>;
type OneRate = Rates['anythingElse'];

export function RateCard({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const read = useRead('affiliates.rates', { path: { programId, id: affiliate.id }, query: { limit: 200 } });
  return (
    <Card title={t('rates.title')} detail={<OverrideText affiliate={affiliate} />} isFlush>
      <Loaded read={read} what={t('rates.what')} skeleton={<Skeleton shape="block" height={180} />}>
        {(rates) => <RateTable rates={rates} />}
      </Loaded>
    </Card>
  );
}

function OverrideText({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const rateText = useRateText();
  const { commissionOverrideType: type, commissionOverrideRate: rate, currency } = affiliate;
  if (type === null || rate === null) return t('rates.noOverride');
  const value: RateValue = type === 'percentage' ? { type, rate } : { type, amountCents: rate, currency, per: 'order' };
  return t('rates.override', { rate: rateText(value) });
}

/** Products that earn the same as anything else are counted, not listed. */
function RateTable({ rates }: { rates: Rates }) {
  const { t } = useTranslation('affiliate');
  const { products, anythingElse, lead, currency, total } = rates;
  const special = products.filter(({ rate }) => rate.ruleId !== anythingElse.ruleId || rate.step !== anythingElse.step);
  const others = total - special.length;
  return (
    <ul className={styles.rates} aria-label={t('rates.title')}>
      {special.map((product) => (
        <RateRow key={product.productId} name={product.name} detail={product.category} rate={product.rate} currency={currency} />
      ))}
      <RateRow
        name={special.length === 0 ? t('rates.everything') : t('rates.anythingElse')}
        detail={others > 0 && special.length > 0 ? t('rates.others', { count: others }) : null}
        rate={anythingElse}
        currency={currency}
      />
      {lead === null ? null : <LeadRow lead={lead} currency={currency} />}
    </ul>
  );
}

type RowProps = { name: string; detail?: string | null; rate: OneRate; currency: string };

function RateRow({ name, detail = null, rate, currency }: RowProps) {
  const { t } = useTranslation('affiliate');
  const value = toValue(rate, currency);
  return (
    <li className={styles.rate}>
      <span className={styles.rateName}>
        <bdi>{name}</bdi>
        {detail === null ? null : <span className={styles.rateDetail}>{detail}</span>}
      </span>
      <span className={styles.rateRule}>
        {rate.step === null ? t('rates.none') : (rate.ruleName ?? t(`rates.step.${rate.step}`))}
        {rate.outranksOverride ? <span className={styles.rateNote}>{t('rates.outranks')}</span> : null}
      </span>
      <span className={styles.rateValue}>{value ? <Rate value={value} /> : '–'}</span>
      <span className={styles.rateExample}>
        {rate.step === null ? null : (
          <>
            <Money cents={rate.exampleCents} currency={currency} /> {t('rates.of')}{' '}
            <Money cents={rate.exampleOrderCents} currency={currency} />
          </>
        )}
      </span>
    </li>
  );
}

function LeadRow({ lead: { ruleName, amountCents }, currency }: { lead: NonNullable<Rates['lead']>; currency: string }) {
  const { t } = useTranslation('affiliate');
  return (
    <li className={styles.rate}>
      <span className={styles.rateName}>{t('rates.lead')}</span>
      <span className={styles.rateRule}>{ruleName}</span>
      <span className={styles.rateValue}>
        <Rate value={{ type: 'flat', amountCents, currency, per: 'lead' }} />
      </span>
      <span className={styles.rateExample} />
    </li>
  );
}

function toValue(rate: OneRate, currency: string): RateValue | null {
  if (rate.type === 'percentage' && rate.rate !== null) return { type: 'percentage', rate: rate.rate };
  if (rate.type === 'flat' && rate.amountCents !== null) {
    return { type: 'flat', amountCents: rate.amountCents, currency, per: rate.per === 'unit' ? 'item' : 'order' };
  }
  return null;
}
