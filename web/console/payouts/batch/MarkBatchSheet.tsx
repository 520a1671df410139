// Marks the payouts of a batch as paid, once someone has paid them manually or from a file.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { type Batch, countOf } from './batch.ts';

const empty = { reference: '', includeNotExported: false };

export function MarkBatchSheet({ batch, isOpen, onClose }: { batch: Batch; isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const id = useId();
  const form = useForm(empty);
  useStepUp(isOpen, onClose);
  const mark = useAction('payoutBatches.markPaid', {
    invalidates: ['payoutBatches.get', 'payoutBatches.list', 'payouts.list', 'overview.get'],
  });
  const notExported = batch.exportedAt === null ? 0 : countOf(batch, 'queued');
  const isEvery = batch.exportedAt === null || form.values.includeNotExported;
  const open = batch.statuses.filter(({ status }) => status === 'sent' || (isEvery && status === 'queued'));
  const count = open.reduce((sum, { payoutCount }) => sum + payoutCount, 0);
  const cents = open.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const words = { count, formatted: formatCount(count, language), amount: formatMoney(cents, batch.currency, language) };
  const submit = () => {
    const { reference, includeNotExported } = form.values;
    const body = { includeNotExported, reference: reference.trim() === '' ? undefined : reference };
    mark.mutate(
      { path: { programId, id: batch.id }, body },
      {
        onSuccess: ({ paidCount }) => {
          showToast(t('mark.done', { count: paidCount, formatted: formatCount(paidCount, language) }), { tone: 'success' });
          form.reset(empty);
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
      title={t('mark.title')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} icon="check" isBusy={mark.isPending} disabled={count === 0}>
          {t('mark.action', words)}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={submit}>
        <Text>{t('mark.text')}</Text>
        <TextInput {...form.field('reference')} label={t('mark.reference')} help={t('mark.referenceHelp')} maxLength={100} hasAutoFocus />
        {notExported === 0 ? null : (
          <Checkbox
            {...form.field('includeNotExported')}
            label={t('mark.notExported', { count: notExported, formatted: formatCount(notExported, language) })}
          />
        )}
      </Form>
    </Sheet>
  );
}
