// Invoices as a list: number, day, amount, VAT, and the document for members who may read tax numbers.
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import { useProgram } from '../../session/program.ts';
import { DocumentItem, DocumentList } from '../../states/document-list.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';

type Invoice = Result<'invoices.list'>['invoices'][number];

export function InvoiceItems({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <DocumentList>
      {invoices.map((invoice) => (
        <Item key={invoice.id} invoice={invoice} />
      ))}
    </DocumentList>
  );
}

function Item({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const { id, number, kind, vatCents, vatCase, currency } = invoice;
  const load = () => call('invoices.document', { path: { programId, id }, query: { format: 'pdf' } });
  return (
    <DocumentItem
      {...invoice}
      title={t(`kind.${kind}`, { number })}
      detail={vatCents === 0 ? t(`case.${vatCase}`) : t('vat', { amount: formatMoney(vatCents, currency, language) })}
      download={can('tax.read') ? { name: `${number}.pdf`, label: t('download'), load } : undefined}
    />
  );
}
