// The invoices and their cancellations, each as a PDF.
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatMoney } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import styles from './invoices.module.css';

type Invoice = Result<'portal.invoices'>['invoices'][number];

export function Documents({ isAgreed }: { isAgreed: boolean }) {
  const { t } = useTranslation('portal-invoices');
  const { programId } = useAccount();
  const read = useRead('portal.invoices', { path: { programId }, query: { limit: 200 } });
  return (
    <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={3} />}>
      {({ invoices, total }) =>
        invoices.length === 0 ? (
          isAgreed ? (
            <Card title={t('documents.title')}>
              <Text>{t('documents.none')}</Text>
            </Card>
          ) : null
        ) : (
          <Card title={t('documents.title')} detail={t('documents.count', { count: total })} isFlush>
            <ul>
              {invoices.map((invoice) => (
                <DocumentItem key={invoice.id} invoice={invoice} />
              ))}
            </ul>
          </Card>
        )
      }
    </Loaded>
  );
}

function DocumentItem({ invoice: { id, number, kind, amountCents, vatCents, currency, createdAt } }: { invoice: Invoice }) {
  const { t } = useTranslation('portal-invoices');
  const { programId } = useAccount();
  const { language } = useFigures();
  const load = () => call('portal.downloadInvoice', { path: { programId, id } }, { isFile: true });
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.number}>{t(`kind.${kind}`, { number })}</span>
        <Money cents={amountCents} currency={currency} />
      </div>
      <div className={styles.detail}>
        <DateTime value={createdAt} as="date" />
        {vatCents === 0 ? null : ` · ${t('documents.vat', { amount: formatMoney(vatCents, currency, language) })}`}
      </div>
      <div>
        <DownloadButton size="small" name={`${number}.pdf`} load={load}>
          {t('documents.download')}
        </DownloadButton>
      </div>
    </li>
  );
}
