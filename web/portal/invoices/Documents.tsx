// The invoices and their cancellations, each as a PDF.
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { DocumentItem, DocumentList } from '../../states/document-list.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';

type Listed = Result<'portal.invoices'>['invoices'][number];

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
            <DocumentList isFlush>
              {invoices.map((invoice) => (
                <Invoice key={invoice.id} invoice={invoice} />
              ))}
            </DocumentList>
          </Card>
        )
      }
    </Loaded>
  );
}

function Invoice({ invoice }: { invoice: Listed }) {
  const { t } = useTranslation('portal-invoices');
  const { programId } = useAccount();
  const { language } = useFigures();
  const { id, number, kind, vatCents, currency } = invoice;
  const load = () => call('portal.downloadInvoice', { path: { programId, id } }, { isFile: true });
  return (
    <DocumentItem
      {...invoice}
      title={t(`kind.${kind}`, { number })}
      detail={vatCents === 0 ? null : t('documents.vat', { amount: formatMoney(vatCents, currency, language) })}
      download={{ name: `${number}.pdf`, label: t('documents.download'), load }}
    />
  );
}
