// Cancels what was not sent yet, with a reason. For a batch that awaits approval, this is the rejection.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { type Batch, countOf } from './batch.ts';

type Props = { batch: Batch; isRejection: boolean; isOpen: boolean; onClose: () => void };

export function CancelSheet({ batch, isRejection, isOpen, onClose }: Props) {
  const { t } = useTranslation('payout-batch');
  const { id: programId } = useProgram();
  const { language } = useFigures();
  const id = useId();
  const form = useForm({ note: '' });
  const cancel = useAction('payoutBatches.cancel', {
    invalidates: ['payoutBatches.get', 'payoutBatches.list', 'payouts.list', 'payouts.due', 'overview.get'],
  });
  const kind = isRejection ? 'reject' : 'cancel';
  const count = countOf(batch, 'queued');
  const words = { count, formatted: formatCount(count, language) };
  const submit = async () => {
    const { note } = form.values;
    if (isRejection && note.trim() === '') {
      form.setProblem({ message: '', details: [{ path: ['note'], message: t('reject.required') }] });
      return;
    }
    // A rejected batch has no place for this sheet any more, so this waits for the request itself.
    try {
      const body = note.trim() === '' ? {} : { note };
      const { cancelledCount } = await cancel.mutateAsync({ path: { programId, id: batch.id }, body });
      showToast(t(`${kind}.done`, { count: cancelledCount, formatted: formatCount(cancelledCount, language) }), { tone: 'success' });
      form.reset({ note: '' });
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem({ message: error.message, details: error.details });
    }
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t(`${kind}.title`)}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="danger" type="submit" form={id} isBusy={cancel.isPending}>
          {t(`${kind}.action`, words)}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={() => void submit()}>
        <Text>{t(`${kind}.text`, words)}</Text>
        <TextInput
          {...form.field('note')}
          label={t('reason')}
          help={t(`${kind}.noteHelp`)}
          maxLength={200}
          hasAutoFocus
          isRequired={isRejection}
        />
      </Form>
    </Sheet>
  );
}
