// Moving an order to another affiliate, increasing or cancelling it. The server rehearses each change, so that the effect on
// every affiliate is known before it happens.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Input, type Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { MoneyInput } from '../../../ui/form/amounts.tsx';
import { useProblemText } from '../../../ui/form/fault-text.ts';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toast-store.ts';
import { AffiliatePicker, type PickedAffiliate } from '../AffiliatePicker.tsx';
import styles from './order.module.css';
import { type Explanation, inOrderCurrency, nameOf } from './say.ts';
import { useRehearsal } from './use-rehearsal.ts';

export type ChangeKind = 'move' | 'increase' | 'cancel';
type Operation = `conversions.${ChangeKind}`;
type Effect = Result<'conversions.move'>;
type Values = { affiliateId: PickedAffiliate | null; amountCents: number | null; note: string };

type Props = { kind: ChangeKind; explanation: Explanation; onClose: () => void };

export function ChangeSheet({ kind, explanation, onClose }: Props) {
  const { t } = useTranslation('conversions');
  const { id: programId } = useProgram();
  const [increaseId] = useState(() => `console-${crypto.randomUUID()}`);
  const form = useForm<Values>({ affiliateId: null, amountCents: null, note: '' });
  const path = { programId, id: explanation.conversionId };
  const body = toBody(kind, form.values, increaseId);
  const effect = useEffectOf(kind, path, body);
  const operation: Operation = `conversions.${kind}`;
  const change = useAction(operation, {
    invalidates: ['conversions.explanation', 'orderTable.list', 'conversions.totals', 'ledgerEntries.list'],
  });
  const submit = () => {
    if (body === null) return;
    change.mutate({ path, body } as Parameters<typeof change.mutate>[0], {
      onSuccess: () => {
        showToast(t(`changeSheet.${kind}.done`), { tone: 'success' });
        onClose();
      },
      onError: (error) => form.setProblem({ message: error.message, details: error.details }),
    });
  };
  const isReady = effect.data !== undefined && (kind !== 'move' || form.values.note.trim() !== '');
  const footer = (
    <Button kind={kind === 'cancel' ? 'danger' : 'primary'} type="submit" form="change-order" isBusy={change.isPending} disabled={!isReady}>
      {t(`changeSheet.${kind}.submit`)}
    </Button>
  );
  const title = t(`changeSheet.${kind}.title`, { orderId: explanation.orderId });
  return (
    <Sheet isOpen onClose={onClose} title={title} hasChanges={form.hasChanges} footer={footer}>
      <Form form={form} id="change-order" onSubmit={submit}>
        <p className={styles.changeHelp}>{t(`changeSheet.${kind}.help`)}</p>
        {kind === 'move' ? <AffiliatePicker label={t('changeSheet.affiliate')} {...form.field('affiliateId')} /> : null}
        {kind === 'increase' ? (
          <MoneyInput label={t('changeSheet.amount')} currency={inOrderCurrency(explanation).currency} {...form.field('amountCents')} />
        ) : null}
        <TextArea
          label={t('changeSheet.note')}
          help={t(kind === 'move' ? 'changeSheet.noteRequired' : 'changeSheet.noteHelp')}
          {...form.field('note')}
          maxLength={1000}
          rows={2}
        />
        <EffectView effect={effect} explanation={explanation} hasBody={body !== null} picked={form.values.affiliateId} />
      </Form>
    </Sheet>
  );
}

type EffectProps = {
  effect: ReturnType<typeof useEffectOf>;
  explanation: Explanation;
  hasBody: boolean;
  picked: PickedAffiliate | null;
};

function EffectView({ effect: { data, error }, explanation, hasBody, picked }: EffectProps) {
  const { t } = useTranslation('conversions');
  const problemText = useProblemText();
  if (error && error.status !== 400 && error.status !== 422) return <Problem error={error} what={t('refundSheet.what')} />;
  const nameIn = (id: string) => nameOf(explanation, id) ?? (picked?.id === id ? picked.name : t('changeSheet.upline'));
  const rows = (data?.adjustments ?? []).map(({ affiliateId, amountCents, effect }) => ({
    label: `${nameIn(affiliateId)}: ${t(`changeSheet.effects.${effect}`)}`,
    value: <Money cents={amountCents} currency={explanation.currency} />,
  }));
  return (
    <section className={styles.effect} aria-label={t('refundSheet.effect')} aria-live="polite">
      <div className={styles.effectTitle}>{t('refundSheet.effect')}</div>
      {error ? <div className={styles.reason}>{problemText(error)}</div> : null}
      {data && hasBody && !error && rows.length > 0 ? <Facts rows={rows} /> : null}
      {data && hasBody && !error && rows.length === 0 ? <div>{t('changeSheet.noEffect')}</div> : null}
      {hasBody ? null : <div>{t('changeSheet.effectEmpty')}</div>}
    </section>
  );
}

type Body = { affiliateId?: string; increaseId?: string; amountCents?: number; note: string | null };

/** The request, or null while it is incomplete. */
function toBody(kind: ChangeKind, { affiliateId, amountCents, note }: Values, increaseId: string): Body | null {
  const text = note.trim() === '' ? null : note;
  if (kind === 'cancel') return { note: text };
  if (kind === 'move') return affiliateId === null ? null : { affiliateId: affiliateId.id, note: text };
  return amountCents === null || amountCents === 0 ? null : { increaseId, amountCents, note: text };
}

/** The note has no effect, so that typing it rehearses nothing. */
function useEffectOf(kind: ChangeKind, path: { programId: string; id: string }, body: Body | null) {
  return useRehearsal(
    ['change-effect', kind, path.id],
    body && { ...body, note: '-', dryRun: true },
    (sent, signal): Promise<Effect> =>
      call(`conversions.${kind}` as 'conversions.move', { path, body: sent as Input<'conversions.move'>['body'] }, { signal }),
  );
}
