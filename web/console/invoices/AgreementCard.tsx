// Whether an affiliate has agreed to invoices, and the last ones. It shows nothing in a program that issues none.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { InvoiceItems } from './InvoiceItems.tsx';

export function AgreementCard({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('invoices');
  const { id: programId } = useProgram();
  const path = { programId };
  const issuer = useRead('invoiceIssuer.get', { path });
  const isUsed = issuer.data !== undefined && issuer.data.updatedAt !== null;
  const agreement = useRead('invoiceAgreements.get', { path: { programId, id: affiliateId } }, { enabled: isUsed });
  const read = useRead('invoices.list', { path, query: { affiliateId, limit: 10 } }, { enabled: isUsed });
  if (!isUsed) return null;
  return (
    <Card title={t('title')}>
      <Loaded read={agreement} what={t('what')} skeleton={<SkeletonText lines={2} />}>
        {({ agreedAt }) => (
          <Stack gap={16}>
            <Text>
              {agreedAt === null ? (
                t('agreement.none')
              ) : (
                <>
                  {t('agreement.since')} <DateTime value={agreedAt} as="date" />
                </>
              )}
            </Text>
            {read.data && read.data.invoices.length > 0 ? <InvoiceItems invoices={read.data.invoices} /> : null}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
