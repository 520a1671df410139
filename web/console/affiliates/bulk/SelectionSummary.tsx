// What the selected rows of the page add up to.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Money } from '../../../ui/figures/money.tsx';
import type { Selection } from '../../../ui/table/table-types.ts';
import type { Row } from '../use-columns.tsx';

/** Nothing for selections beyond the page: their sum is not known here. */
export function SelectionSummary({ rows = [], selection }: { rows: readonly Row[] | undefined; selection: Selection }) {
  const { t } = useTranslation('affiliate-table');
  const { currency } = useProgram();
  const selected = rows.filter(({ id }) => selection.ids.includes(id));
  if (selection.isAllMatching || selected.length < selection.ids.length) return null;
  const cents = selected.reduce((sum, { salesCents }) => sum + salesCents, 0);
  return (
    <>
      {t('bulk.sales')} <Money cents={cents} currency={currency} />
    </>
  );
}
