// What awaits a decision or doesn't work, the most urgent first.
import { useTranslation } from 'react-i18next';
import { isolate } from '../../locales/isolate.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate, formatRelative } from '../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Card, RowList } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { useLinkTo, useTarget } from './links.ts';
import styles from './overview.module.css';
import type { AttentionItem, Overview } from './overview-types.ts';
import { attentionTargets } from './targets.ts';

export function Attention({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const { attention, currency } = overview;
  const alerts = useLinkTo()('alerts');
  return (
    <Card title={t('attention.title')} actions={alerts === undefined ? null : <Link href={alerts}>{t('attention.alerts')}</Link>} isFlush>
      {attention.length === 0 ? (
        <div className={styles.calm}>
          <Icon name="check" size={18} />
          <div>
            <strong>{t('attention.none')}</strong>
            <p>{t('attention.noneText')}</p>
          </div>
        </div>
      ) : (
        <RowList>
          {attention.map((item) => (
            <li key={item.kind}>
              <Item item={item} currency={currency} />
            </li>
          ))}
        </RowList>
      )}
    </Card>
  );
}

function Item({ item, currency }: { item: AttentionItem; currency: string }) {
  const { t } = useTranslation('overview');
  const { language } = useFigures();
  const href = useTarget()(attentionTargets[item.kind]);
  const { count } = item;
  const detail = useDetail(item, currency);
  const content = (
    <>
      <span className={styles.count}>{formatCount(count, language)}</span>
      <span className={styles.itemText}>
        <span className={styles.itemTitle}>{t(`attention.${item.kind}`, { count })}</span>
        {detail === '' ? null : <span className={styles.itemDetail}>{detail}</span>}
      </span>
      {href === undefined ? null : <Icon name="chevronRight" size={16} />}
    </>
  );
  if (href === undefined) return <div className={styles.item}>{content}</div>;
  return (
    <Link href={href} className={styles.item}>
      {content}
    </Link>
  );
}

/** "$212.40 on hold · since 2 days ago", "Noor Haddad, Leo Brandt". */
function useDetail({ kind, amountCents, names, oldestAt, count }: AttentionItem, currency: string): string {
  const { t } = useTranslation('overview');
  const figures = useFigures();
  const amount = amountCents === null ? null : formatMoney(amountCents, currency, figures.language);
  const amountKey = ({ fraud_alerts: 'held', claims: 'claimed' } as const)[kind as 'fraud_alerts' | 'claims'] ?? 'total';
  const more = count > names.length && names.length > 0 ? ` +${formatCount(count - names.length, figures.language)}` : '';
  const parts = [
    ...(amount === null ? [] : [t(`attention.${amountKey}`, { amount })]),
    ...(names.length === 0 || kind === 'batch_approval' ? [] : [`${names.map(isolate).join(', ')}${more}`]),
    ...(oldestAt === null
      ? []
      : [formatRelative(oldestAt, figures.now, figures) ?? t('attention.since', { when: formatDate(oldestAt, figures, figures.now) })]),
  ];
  return parts.join(' · ');
}
