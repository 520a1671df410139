// Marking one payout as paid, cancelling it, asking the provider about it, and paying it again. Each is confirmed first.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { useNavigate } from '../../../ui/layout/link.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { actionsOf, type Batch } from './batch.ts';
import type { PayoutDetail } from './payout-detail.ts';

type Props = { payout: PayoutDetail; batch: Batch };
type Open = 'mark' | 'cancel' | null;

const reads = ['payouts.get', 'payouts.list', 'payoutBatches.get', 'payoutBatches.list', 'payouts.due', 'overview.get'] as const;

export function PayoutActions({ payout, batch }: Props) {
  const { t } = useTranslation('payout-batch');
  const { can } = useProgram();
  const [open, setOpen] = useState<Open>(null);
  const { canMarkPaid, canCancel, canCheck, canPayAgain } = actionsOf(payout, batch);
  const close = () => setOpen(null);
  if (open === 'mark') return <MarkForm payout={payout} onDone={close} />;
  if (open === 'cancel') return <CancelForm payout={payout} onDone={close} />;
  return (
    <Row>
      {can('payouts.approve') && (canCheck || canPayAgain) ? <RetryButton payout={payout} isCheck={canCheck} /> : null}
      {can('payouts.approve') && canMarkPaid ? (
        <Button icon="check" onClick={() => setOpen('mark')}>
          {t('payout.mark')}
        </Button>
      ) : null}
      {can('payouts.prepare') && canCancel ? (
        <Button icon="close" onClick={() => setOpen('cancel')}>
          {t('payout.cancel')}
        </Button>
      ) : null}
    </Row>
  );
}

/** Asks the provider again, or creates a new payout of what is due to the affiliate now. */
function RetryButton({ payout, isCheck }: { payout: PayoutDetail; isCheck: boolean }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId, href } = useProgram();
  const { language } = useFigures();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const retry = useAction('payouts.retry', { invalidates: reads });
  // The button is gone once the payout has another status, so this waits for the request itself.
  const submit = async () => {
    setProblem(null);
    try {
      const result = await retry.mutateAsync({ path: { programId, id: payout.id }, body: {} });
      const amount = formatMoney(result.amountCents, result.currency, language);
      showToast(isCheck ? t('payout.checked', { status: t(`outcome.${result.status}`) }) : t('payout.paidAgain', { amount }));
      if (!isCheck) navigate(href(`payouts/batches/${result.batchId}`));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <>
      <Button kind="primary" icon="refresh" isBusy={retry.isPending} onClick={() => void submit()}>
        {t(isCheck ? 'payout.check' : 'payout.payAgain')}
      </Button>
      {problem === null ? null : (
        <div role="alert">
          <Notice icon="warning" tone="error" title={t('payout.retryFailed')}>
            {problem}
          </Notice>
        </div>
      )}
    </>
  );
}

function MarkForm({ payout, onDone }: { payout: PayoutDetail; onDone: () => void }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const form = useForm({ reference: '' });
  const mark = useAction('payouts.markPaid', { invalidates: reads });
  const submit = () => {
    const { reference } = form.values;
    mark.mutate(
      { path: { programId, id: payout.id }, body: { reference: reference.trim() === '' ? undefined : reference } },
      {
        onSuccess: ({ warnings }) => {
          const [warning] = warnings.toReversed();
          showToast(warning === undefined ? t('payout.marked') : t(`warning.${warning.code}`), { tone: 'success' });
          onDone();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      buttons={<FormButtons action={t('payout.mark')} isBusy={mark.isPending} kind="primary" onBack={onDone} />}
    >
      <Text>{t('payout.markText')}</Text>
      <TextInput {...form.field('reference')} label={t('mark.reference')} help={t('mark.referenceHelp')} maxLength={100} hasAutoFocus />
    </Form>
  );
}

function CancelForm({ payout, onDone }: { payout: PayoutDetail; onDone: () => void }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const id = useId();
  const form = useForm({ note: '', confirmNotPaid: false });
  const cancel = useAction('payouts.cancel', { invalidates: reads });
  const mayBePaid = payout.status === 'sent' || payout.status === 'reconcile_required';
  const submit = () => {
    const { note, confirmNotPaid } = form.values;
    if (mayBePaid && !confirmNotPaid) {
      form.setProblem({ message: '', details: [{ path: ['confirmNotPaid'], message: t('payout.confirmRequired') }] });
      return;
    }
    cancel.mutate(
      { path: { programId, id: payout.id }, body: { confirmNotPaid, note: note.trim() === '' ? undefined : note } },
      {
        onSuccess: () => {
          showToast(t('payout.cancelled'), { tone: 'success' });
          onDone();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  };
  return (
    <Form
      form={form}
      id={id}
      onSubmit={submit}
      buttons={<FormButtons action={t('payout.cancel')} isBusy={cancel.isPending} kind="danger" onBack={onDone} />}
    >
      <Stack gap={12}>
        <Text>{t('payout.cancelText')}</Text>
        {mayBePaid ? <Checkbox {...form.field('confirmNotPaid')} label={t('payout.confirmNotPaid')} /> : null}
        <TextInput {...form.field('note')} label={t('reason')} maxLength={200} hasAutoFocus={!mayBePaid} />
      </Stack>
    </Form>
  );
}

type ButtonsProps = { action: string; isBusy: boolean; kind: 'primary' | 'danger'; onBack: () => void };

function FormButtons({ action, isBusy, kind, onBack }: ButtonsProps) {
  const { t } = useTranslation('payout-batch');
  return (
    <>
      <Button onClick={onBack}>{t('payout.back')}</Button>
      <Button kind={kind} type="submit" isBusy={isBusy}>
        {action}
      </Button>
    </>
  );
}
