// The last step: the total, the largest amounts, the comparison with the last batch, and the button that pays.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Facts, Section } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { type DueRow, nameOf } from '../due/due-groups.ts';
import styles from '../payouts.module.css';
import { isUnusual } from './changes.ts';
import type { DispatchChoice } from './choice.ts';
import { useDispatch } from './use-dispatch.ts';

type Props = {
  chosen: { rows: readonly DueRow[]; totalCents: number };
  currency: string;
  choice: DispatchChoice;
  /** The amounts changed and were not accepted yet. */
  isChanged: boolean;
  onBack: () => void;
  onChanged: () => void;
  onSent: (batchId: string) => void;
};

export function ConfirmStep({ chosen: { rows, totalCents }, currency, choice, isChanged, onBack, onChanged, onSent }: Props) {
  const { t } = useTranslation('payouts');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const form = useForm<{ total: number | null }>({ total: null });
  const last = useRead('payoutBatches.list', { path: { programId }, query: { limit: 1, sort: '-createdAt' } });
  const lastCents = last.data?.batches[0]?.totalCents ?? null;
  const isTyped = isUnusual(totalCents, lastCents);
  const { send, problem, isPending } = useDispatch({ totalCents, choice, onChanged, onSent });
  const count = rows.length;
  const words = { count, formatted: formatCount(count, language), amount: formatMoney(totalCents, currency, language) };
  const submit = () => {
    if (!isTyped || form.values.total === totalCents) return void send();
    form.setProblem({ message: '', details: [{ path: ['total'], message: t('confirm.typeWrong', { amount: words.amount }) }] });
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      buttons={
        <div className={styles.footer}>
          <Button onClick={onBack}>{t('dispatch.back')}</Button>
          <Button kind="primary" type="submit" icon="payouts" isBusy={isPending} disabled={isChanged || !last.isFetched}>
            {t('dispatch.open', words)}
          </Button>
        </div>
      }
    >
      <Stack gap={16}>
        <div className={styles.total}>{words.amount}</div>
        <Comparison totalCents={totalCents} lastCents={lastCents} currency={currency} count={count} />
        <Section title={t('confirm.largest')}>
          <Facts
            rows={rows.slice(0, 5).map((row) => ({ label: nameOf(row), value: <Money cents={row.amountCents} currency={currency} /> }))}
          />
        </Section>
        {isTyped ? (
          <MoneyInput
            {...form.field('total')}
            label={t('confirm.type')}
            help={t('confirm.typeHelp', { amount: words.amount })}
            currency={currency}
          />
        ) : null}
        {problem === null ? null : (
          <div role="alert">
            <Notice icon="warning" tone="error" title={t('confirm.failed')}>
              {problem}
            </Notice>
          </div>
        )}
      </Stack>
    </Form>
  );
}

type ComparisonProps = { totalCents: number; lastCents: number | null; currency: string; count: number };

/** "2.1× the last batch ($3,600.00)". */
function Comparison({ totalCents, lastCents, currency, count }: ComparisonProps) {
  const { t, i18n } = useTranslation('payouts');
  const { language } = useFigures();
  const factor = lastCents === null || lastCents === 0 ? null : totalCents / lastCents;
  const text = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(factor ?? 0);
  const affiliates = { count, formatted: formatCount(count, language) };
  const compared =
    factor === null || lastCents === null
      ? t('confirm.first')
      : t('confirm.compared', { factor: text, last: formatMoney(lastCents, currency, language) });
  return (
    <p>
      {t('confirm.affiliates', affiliates)} {compared}
    </p>
  );
}
