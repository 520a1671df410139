// One invoice: its amounts, what it cancels or is cancelled by, and its document.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { Converted } from '../../ui/figures/converted.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import type { Invoice } from './invoice-table.ts';
import { InvoiceStatus } from './use-columns.tsx';

type Props = { id: string; onClose: () => void; onPrevious: (() => void) | undefined; onNext: (() => void) | undefined };

export function InvoiceSheet({ id, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('invoice-list');
  const { id: programId } = useProgram();
  const read = useRead('invoices.get', { path: { programId, id }, query: { expand: 'affiliate' } });
  return (
    <Sheet isOpen onClose={onClose} title={read.data?.number ?? t('table.one')} onPrevious={onPrevious} onNext={onNext}>
      <Loaded read={read} what={t('table.one')} skeleton={<SkeletonText lines={8} />}>
        {(invoice) => <Content invoice={invoice} />}
      </Loaded>
    </Sheet>
  );
}

function Content({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice-list');
  const { id: programId, href, can } = useProgram();
  const { id, number, affiliateId, affiliate, createdAt, currency, netCents, vatCents, vatExchange, amountCents, vatCase } = invoice;
  const load = () => call('invoices.document', { path: { programId, id }, query: { format: 'pdf' } });
  return (
    <Stack gap={20}>
      <div>
        <InvoiceStatus invoice={invoice} />
      </div>
      <Facts
        rows={[
          {
            label: t('column.affiliate'),
            value: <Link href={href(`affiliates/${affiliateId}?tab=payouts`)}>{affiliate?.name ?? affiliateId}</Link>,
          },
          { label: t('column.created'), value: <DateTime value={createdAt} as="date" /> },
          { label: t('column.vatCase'), value: t(`vatCase.${vatCase}`) },
          { label: t('column.net'), value: <Money cents={netCents} currency={currency} /> },
          { label: t('column.vat'), value: <Money cents={vatCents} currency={currency} /> },
          ...(vatExchange === null
            ? []
            : [{ label: t('vatIn', { currency: vatExchange.currency }), value: <Converted exchange={vatExchange} currency={currency} /> }]),
          { label: t('column.amount'), value: <Money cents={amountCents} currency={currency} /> },
        ]}
      />
      {can('tax.read') ? (
        <div>
          <DownloadButton name={`${number}.pdf`} load={load}>
            {t('download')}
          </DownloadButton>
        </div>
      ) : null}
    </Stack>
  );
}
