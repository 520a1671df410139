// The link that recruits other affiliates: an explanation of its terms, and how many joined through it.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { useRateText } from '../../ui/figures/rate.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { toRateValue } from '../earnings/Why.tsx';
import { useAccount } from '../session/account.ts';
import styles from './links.module.css';

type Recruiting = NonNullable<Result<'portal.links'>['recruiting']>;

export function RecruitCard({ recruiting }: { recruiting: Recruiting }) {
  const { t } = useTranslation('portal-links');
  const { language } = useFigures();
  const terms = useTerms(recruiting);
  const { url, applied, active } = recruiting;
  const counts = { count: applied, shown: formatCount(applied, language), active: formatCount(active, language) };
  return (
    <Card title={t('recruit.title')}>
      <Text>{t('recruit.text')}</Text>
      <div className={styles.recruit}>
        <CopyButton value={url} text={url.replace(/^https?:\/\//, '')} isMono />
      </div>
      <ul className={styles.terms}>
        {terms.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      <Text size="small" tone="ink-3">
        {applied === 0 ? t('recruit.none') : t('recruit.applied', counts)}
      </Text>
    </Card>
  );
}

/** What the affiliate earns, one sentence per term. */
function useTerms({ rate, hasOtherRates, leadCents }: Recruiting): string[] {
  const { t } = useTranslation('portal-links');
  const { currency } = useAccount();
  const { language } = useFigures();
  const rateText = useRateText();
  const terms: string[] = [];
  if (rate) {
    const kind = rate.type === 'flat' ? 'flat' : rate.basis === 'commission' ? 'ofCommission' : 'ofOrder';
    terms.push(t(`recruit.${kind}`, { rate: rateText(toRateValue(rate, currency)) }));
    if (rate.trigger !== 'every') terms.push(t(`recruit.trigger.${rate.trigger}`));
    if (rate.durationMonths !== null) terms.push(t('recruit.months', { count: rate.durationMonths }));
    if (rate.isLimited) terms.push(t('recruit.limited'));
  }
  if (hasOtherRates) terms.push(t(rate ? 'recruit.others' : 'recruit.varies'));
  if (leadCents !== null) terms.push(t('recruit.lead', { amount: formatMoney(leadCents, currency, language) }));
  return terms;
}
