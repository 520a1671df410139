// What was paid in a year by VAT treatment: net, VAT and gross.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import styles from './data.module.css';

type Props = { totals: Result<'taxTotals.list'>['sum']['vatTotals'] };

export function VatCard({ totals }: Props) {
  const { t } = useTranslation('data');
  const { t: tInvoices } = useTranslation('invoice-list');
  const { currency } = useProgram();
  return (
    <Card title={t('totals.byVat')} isFlush>
      <table className={styles.vat}>
        <thead>
          <tr>
            <th scope="col">{tInvoices('column.vatCase')}</th>
            <th scope="col">{t('totals.net')}</th>
            <th scope="col">{t('totals.vat')}</th>
            <th scope="col">{t('totals.gross')}</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ vatCase, netCents, vatCents, vatExchange, amountCents }) => (
            <tr key={vatCase ?? 'none'}>
              <th scope="row">{vatCase === null ? t('totals.noInvoice') : tInvoices(`vatCase.${vatCase}`)}</th>
              <td>
                <Money cents={netCents} currency={currency} />
              </td>
              <td>
                <Money cents={vatCents} currency={currency} />
                {vatExchange === null ? null : (
                  <Text size="small">
                    <Money cents={vatExchange.amountCents} currency={vatExchange.currency} />
                  </Text>
                )}
              </td>
              <td>
                <Money cents={amountCents} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
