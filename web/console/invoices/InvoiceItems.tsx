// Invoices as a list: number, day, amount, VAT, and the document for members who may read tax numbers.
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import { useProgram } from '../../session/program.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatMoney } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import styles from './invoices.module.css';

type Invoice = Result<'invoices.list'>['invoices'][number];

export function InvoiceItems({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <ul className={styles.list}>
      {invoices.map((invoice) => (
        <Item key={invoice.id} invoice={invoice} />
      ))}
    </ul>
  );
}

function Item({ invoice: { id, number, kind, amountCents, vatCents, vatCase, currency, createdAt } }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const load = () => call('invoices.document', { path: { programId, id }, query: { format: 'pdf' } });
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.number}>{t(`kind.${kind}`, { number })}</span>
        <Money cents={amountCents} currency={currency} />
      </div>
      <div className={styles.detail}>
        <DateTime value={createdAt} as="date" /> ·{' '}
        {vatCents === 0 ? t(`case.${vatCase}`) : t('vat', { amount: formatMoney(vatCents, currency, language) })}
      </div>
      {can('tax.read') ? (
        <div>
          <DownloadButton size="small" name={`${number}.pdf`} load={load}>
            {t('download')}
          </DownloadButton>
        </div>
      ) : null}
    </li>
  );
}
