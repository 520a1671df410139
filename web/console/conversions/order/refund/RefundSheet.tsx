// Refunding an order by lines or completely. Each change is rehearsed by the server, so that the effect on the commissions
// is known before it happens.
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../../../api/call.ts';
import { useAction } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Problem } from '../../../../states/problem.tsx';
import { Button } from '../../../../ui/controls/button.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { useProblemText } from '../../../../ui/form/fault-text.ts';
import { TextArea } from '../../../../ui/form/fields.tsx';
import { FieldRow, Form, useForm } from '../../../../ui/form/form.tsx';
import { Select } from '../../../../ui/form/select.tsx';
import { Facts } from '../../../../ui/layout/card.tsx';
import { Segments } from '../../../../ui/layout/tabs.tsx';
import { Sheet } from '../../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../../ui/overlay/toast-store.ts';
import styles from '../order.module.css';
import { type Explanation, inOrderCurrency, nameOf } from '../say.ts';
import { useRehearsal } from '../use-rehearsal.ts';
import { useSay } from '../use-say.ts';
import { RefundLines } from './RefundLines.tsx';
import { type Body, reasons, toBody, type Values } from './refund-values.ts';

type Effect = Result<'conversions.refund'>;

type Props = { explanation: Explanation; isOpen: boolean; onClose: () => void };

export function RefundSheet({ explanation, isOpen, onClose }: Props) {
  const { t } = useTranslation('conversions');
  const { id: programId } = useProgram();
  const say = useSay(explanation.currency);
  const form = useForm<Values>({ mode: explanation.items.length > 1 ? 'lines' : 'whole', choices: {}, reason: 'refund', note: '' });
  const path = { programId, id: explanation.conversionId };
  const body = toBody(form.values);
  const effect = useEffectOf(path, body, isOpen);
  const refund = useAction('conversions.refund', {
    invalidates: ['conversions.explanation', 'orderTable.list', 'conversions.totals', 'ledgerEntries.list'],
  });
  const submit = () => {
    if (body === null) return;
    refund.mutate(
      { path, body },
      {
        onSuccess: ({ amountCents }) => {
          showToast(t('refundSheet.done', { amount: say.money(amountCents) }), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  };
  const cents = effect.data?.amountCents ?? 0;
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('refundSheet.title', { orderId: explanation.orderId })}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form="refund" isBusy={refund.isPending} disabled={effect.data === undefined}>
          {cents > 0 ? t('refundSheet.submitAmount', { amount: say.money(cents) }) : t('refundSheet.submit')}
        </Button>
      }
    >
      <Form form={form} id="refund" onSubmit={submit}>
        <Segments
          label={t('refundSheet.lines')}
          tabs={[
            { id: 'whole', label: t('refundSheet.whole') },
            { id: 'lines', label: t('refundSheet.byLine') },
          ]}
          value={form.values.mode}
          onChange={(mode) => form.setValues({ mode })}
        />
        {form.values.mode === 'lines' ? (
          <RefundLines
            explanation={inOrderCurrency(explanation)}
            choices={form.values.choices}
            onChange={(choices) => form.setValues({ choices })}
          />
        ) : null}
        <FieldRow>
          <Select
            label={t('refundSheet.reason')}
            {...form.field('reason')}
            onChange={(reason) => form.setValues({ reason: reason ?? 'refund' })}
            options={reasons.map((value) => ({ value, label: t(`refundReason.${value}`) }))}
          />
        </FieldRow>
        <TextArea label={t('refundSheet.note')} {...form.field('note')} maxLength={1000} rows={2} />
        <EffectView effect={effect} explanation={explanation} hasBody={body !== null} />
      </Form>
    </Sheet>
  );
}

type EffectProps = { effect: ReturnType<typeof useEffectOf>; explanation: Explanation; hasBody: boolean };

function EffectView({ effect, explanation, hasBody }: EffectProps) {
  const { t } = useTranslation('conversions');
  const problemText = useProblemText();
  const { currency } = explanation;
  const { data, error } = effect;
  if (error && error.status !== 400 && error.status !== 422) return <Problem error={error} what={t('refundSheet.what')} />;
  return (
    <section className={styles.effect} aria-label={t('refundSheet.effect')} aria-live="polite">
      <div className={styles.effectTitle}>{t('refundSheet.effect')}</div>
      {error ? <div className={styles.reason}>{problemText(error)}</div> : null}
      {data && hasBody && !error ? <EffectFacts data={data} explanation={explanation} currency={currency} /> : null}
      {hasBody ? null : <div>{t('refundSheet.effectEmpty')}</div>}
    </section>
  );
}

function EffectFacts({ data, explanation, currency }: { data: Effect; explanation: Explanation; currency: string }) {
  const { t } = useTranslation('conversions');
  const { original } = data;
  const before = original
    ? [{ label: t('refundSheet.original'), value: <Money cents={original.amountCents} currency={original.currency} /> }]
    : [];
  const sums = [
    { label: t('refundSheet.refundAmount'), value: <Money cents={data.amountCents} currency={currency} /> },
    { label: t('refundSheet.reversed'), value: <Money cents={-data.reversedCents} currency={currency} /> },
    { label: t('refundSheet.remaining'), value: <Money cents={data.remainingCents} currency={currency} /> },
  ];
  const each = data.adjustments.map(({ affiliateId, amountCents, effect }) => ({
    label: `${nameOf(explanation, affiliateId) ?? ''}: ${t(`refundSheet.effects.${effect}`)}`,
    value: <Money cents={amountCents} currency={currency} />,
  }));
  return <Facts rows={[...before, ...sums, ...each]} />;
}

function useEffectOf(path: { programId: string; id: string }, body: Body | null, isOpen: boolean) {
  return useRehearsal(
    ['refund-effect', path.id],
    isOpen ? body : null,
    (sent: Body, signal): Promise<Effect> => call('conversions.refund', { path, body: { ...sent, dryRun: true } }, { signal }),
  );
}
