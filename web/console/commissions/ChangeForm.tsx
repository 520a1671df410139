// Holding, releasing or adjusting a commission. The affiliate reads the reason.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { TextArea } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Row } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import styles from './commissions.module.css';
import type { CommissionDetail } from './use-columns.tsx';

export type ChangeKind = 'hold' | 'release' | 'adjust';
type Values = { direction: 'add' | 'deduct'; amountCents: number | null; note: string };

type Props = { commission: CommissionDetail; kind: ChangeKind; onChanged: (hasChanges: boolean) => void; onDone: () => void };

/** The reads whose lists and sums of commissions change. */
export const affected = ['commissions.list', 'commissions.get', 'ledgerEntries.list', 'overview.get', 'conversions.explanation'] as const;

export function ChangeForm({ commission, kind, onChanged, onDone }: Props) {
  const { t } = useTranslation('commissions');
  const { id: programId } = useProgram();
  const form = useForm<Values>({ direction: 'deduct', amountCents: null, note: '' });
  const { direction, amountCents, note } = form.values;
  const { hasChanges } = form;
  useEffect(() => onChanged(hasChanges), [onChanged, hasChanges]);
  const hold = useAction('commissions.hold', { invalidates: affected });
  const release = useAction('commissions.release', { invalidates: affected });
  const adjust = useAction('commissions.adjust', { invalidates: affected });
  const path = { programId, id: commission.id };
  const signedCents = (amountCents ?? 0) * (direction === 'add' ? 1 : -1);
  const submit = async () => {
    const text = note.trim();
    const send = {
      hold: () => hold.mutateAsync({ path, body: { note: text } }),
      release: () => release.mutateAsync({ path, body: text === '' ? {} : { note: text } }),
      adjust: () => adjust.mutateAsync({ path, body: { amountCents: signedCents, note: text } }),
    };
    try {
      await send[kind]();
      showToast(t(`change.${kind}.done`), { tone: 'success' });
      onDone();
    } catch (error) {
      form.setProblem(error as { message: string; details: [] });
    }
  };
  const isBusy = hold.isPending || release.isPending || adjust.isPending;
  return (
    <Form form={form} id="change-commission" onSubmit={() => void submit()}>
      {kind === 'adjust' ? (
        <>
          <Segments
            label={t('change.adjust.direction')}
            value={direction}
            onChange={(next) => form.setValues({ direction: next })}
            tabs={[
              { id: 'deduct', label: t('change.adjust.deduct') },
              { id: 'add', label: t('change.adjust.add') },
            ]}
          />
          <MoneyInput label={t('column.amount')} currency={commission.currency} {...form.field('amountCents')} />
          <Effect commission={commission} cents={signedCents} />
        </>
      ) : null}
      <TextArea
        label={t('note')}
        help={t(kind === 'release' ? 'noteOptional' : 'noteHelp')}
        {...form.field('note')}
        maxLength={500}
        rows={2}
        hasAutoFocus={kind !== 'adjust'}
      />
      <Row>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t(`change.${kind}.submit`)}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </Row>
    </Form>
  );
}

/** What the affiliate has earned from it before and after. */
function Effect({ commission: { owedCents, currency }, cents }: { commission: CommissionDetail; cents: number }) {
  const { t } = useTranslation('commissions');
  if (cents === 0) return null;
  return (
    <p className={styles.effect} aria-live="polite">
      {t('change.adjust.effect')} <Money cents={owedCents} currency={currency} /> → <Money cents={owedCents + cents} currency={currency} />
    </p>
  );
}
