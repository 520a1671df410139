// Recording a dispute that no store reports, or how one ended: what it does to the commissions, and what the affiliate reads.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { MoneyInput } from '../../../../ui/form/amounts.tsx';
import { TextInput } from '../../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../../ui/form/form.tsx';
import { Sheet } from '../../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../../ui/overlay/toast-store.ts';
import styles from '../order.module.css';
import { type Explanation, inOrderCurrency } from '../say.ts';
import type { DisputeReport } from './dispute.ts';

type Props = { report: DisputeReport; explanation: Explanation; isOpen: boolean; onClose: () => void };

const changed = [
  'disputes.list',
  'conversions.explanation',
  'orderTable.list',
  'conversions.totals',
  'ledgerEntries.list',
  'commissions.list',
] as const;

export function DisputeSheet({ report: { dispute, status }, explanation, isOpen, onClose }: Props) {
  const { t } = useTranslation('disputes');
  const { id: programId } = useProgram();
  const { orderId, currency } = inOrderCurrency(explanation);
  const form = useForm<{ disputeId: string; amountCents: number | null }>({
    disputeId: dispute?.disputeId ?? '',
    amountCents: dispute?.original?.amountCents ?? dispute?.amountCents ?? null,
  });
  const send = useAction('disputes.report', { invalidates: changed, programId });
  const submit = () => {
    const { disputeId, amountCents } = form.values;
    const amount = amountCents === null ? undefined : amountCents;
    send.mutate(
      { body: { disputeId: disputeId.trim(), orderId, status, amountCents: amount } },
      {
        onSuccess: () => {
          showToast(t(`report.${status}.done`), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t(`report.${status}.title`, { orderId })}
      hasChanges={form.hasChanges}
      footer={
        <Button kind={status === 'lost' ? 'danger' : 'primary'} type="submit" form="report-dispute" isBusy={send.isPending}>
          {t(`report.${status}.submit`)}
        </Button>
      }
    >
      <Form form={form} id="report-dispute" onSubmit={submit}>
        <p className={styles.changeHelp}>{t(`report.${status}.help`)}</p>
        {dispute === null ? (
          <TextInput {...form.field('disputeId')} label={t('field.id')} help={t('field.idHelp')} maxLength={255} />
        ) : null}
        {status === 'won' ? null : (
          <MoneyInput {...form.field('amountCents')} label={t('field.amount')} help={t('field.amountHelp')} currency={currency} />
        )}
        <section className={styles.effect} aria-label={t('reads')}>
          <div className={styles.effectTitle}>{t('reads')}</div>
          <div>{t(`affiliate.${status}`)}</div>
        </section>
      </Form>
    </Sheet>
  );
}
