// Refunding an order by lines or completely. Each change is rehearsed by the server, so that the effect on the commissions
// is known before it happens.
import { useTranslation } from 'react-i18next';
import { call, type Input, type Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { useProblemText } from '../../../ui/form/fault-text.ts';
import { TextArea } from '../../../ui/form/fields.tsx';
import { FieldRow, Form, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toast-store.ts';
import styles from './order.module.css';
import { type Explanation, lineTitle, nameOf } from './say.ts';
import { useRehearsal } from './use-rehearsal.ts';
import { useSay } from './use-say.ts';

const reasons = ['refund', 'cancelled', 'chargeback', 'fraud', 'duplicate', 'out_of_stock', 'terms_violation', 'test', 'other'] as const;
type Reason = (typeof reasons)[number];
type Effect = Result<'conversions.refund'>;

/** Refunded cents by position; null while the amount is being typed. */
type Amounts = Readonly<Record<number, number | null>>;
type Values = { mode: 'whole' | 'lines'; amounts: Amounts; reason: Reason; note: string };

type Props = { explanation: Explanation; isOpen: boolean; onClose: () => void };

export function RefundSheet({ explanation, isOpen, onClose }: Props) {
  const { t } = useTranslation('conversions');
  const { id: programId } = useProgram();
  const say = useSay(explanation.currency);
  const form = useForm<Values>({ mode: explanation.items.length > 1 ? 'lines' : 'whole', amounts: {}, reason: 'refund', note: '' });
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
          <Lines explanation={explanation} amounts={form.values.amounts} onChange={(amounts) => form.setValues({ amounts })} />
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

type LinesProps = { explanation: Explanation; amounts: Amounts; onChange: (amounts: Amounts) => void };

function Lines({ explanation, amounts, onChange }: LinesProps) {
  const { t } = useTranslation('conversions');
  const say = useSay(explanation.currency);
  return (
    <fieldset className={styles.lines}>
      <legend className="visually-hidden">{t('refundSheet.lines')}</legend>
      {explanation.items.map((item) => {
        const { position } = item;
        const open = item.amountCents - item.refundedCents;
        const isChosen = amounts[position] !== undefined;
        const without = Object.fromEntries(Object.entries(amounts).filter(([key]) => Number(key) !== position));
        return (
          <div key={position} className={styles.refundLine}>
            <Checkbox
              label={lineTitle(item, explanation, say)}
              help={t('refundSheet.open', { amount: say.money(open), total: say.money(item.amountCents) })}
              value={isChosen}
              isDisabled={open === 0}
              onChange={(chosen) => onChange(chosen ? { ...amounts, [position]: open } : without)}
            />
            {isChosen ? (
              <MoneyInput
                label={t('refundSheet.amount')}
                name={`items.${position}`}
                currency={explanation.currency}
                value={amounts[position] ?? null}
                onChange={(cents) => onChange({ ...amounts, [position]: cents })}
              />
            ) : null}
          </div>
        );
      })}
    </fieldset>
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
  const sums = [
    { label: t('refundSheet.refundAmount'), value: <Money cents={data.amountCents} currency={currency} /> },
    { label: t('refundSheet.reversed'), value: <Money cents={-data.reversedCents} currency={currency} /> },
    { label: t('refundSheet.remaining'), value: <Money cents={data.remainingCents} currency={currency} /> },
  ];
  const each = data.adjustments.map(({ affiliateId, amountCents, effect }) => ({
    label: `${nameOf(explanation, affiliateId) ?? ''}: ${t(`refundSheet.effects.${effect}`)}`,
    value: <Money cents={amountCents} currency={currency} />,
  }));
  return <Facts rows={[...sums, ...each]} />;
}

type Body = Input<'conversions.refund'>['body'];

/** The request, or null while nothing is chosen or an amount is incomplete. */
function toBody({ mode, amounts, reason, note }: Values): Body | null {
  const shared = { reason, note: note.trim() === '' ? null : note };
  if (mode === 'whole') return shared;
  const items = Object.entries(amounts).flatMap(([position, amountCents]) =>
    amountCents === null ? [] : [{ position: Number(position), amountCents }],
  );
  return items.length === 0 || items.length < Object.keys(amounts).length ? null : { ...shared, items };
}

function useEffectOf(path: { programId: string; id: string }, body: Body | null, isOpen: boolean) {
  return useRehearsal(
    ['refund-effect', path.id],
    isOpen ? body : null,
    (sent: Body, signal): Promise<Effect> => call('conversions.refund', { path, body: { ...sent, dryRun: true } }, { signal }),
  );
}
