// Resolves a difference with a note. An unknown payment can be recorded for the affiliate who received it.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { AffiliateSelect } from '../../affiliates/AffiliateSelect.tsx';
import type { Discrepancy } from './discrepancy.ts';

type Values = { note: string; affiliateId: string | null };

export function ResolveSheet({ discrepancy, onClose }: { discrepancy: Discrepancy; onClose: () => void }) {
  const { t } = useTranslation('reconcile');
  const { id: programId } = useProgram();
  const id = useId();
  const { kind, affiliate } = discrepancy;
  const form = useForm<Values>({ note: '', affiliateId: affiliate?.id ?? null });
  const resolve = useAction('payoutDiscrepancies.resolve', {
    invalidates: ['payoutDiscrepancies.list', 'payouts.reconciliation', 'payouts.list', 'payouts.due', 'overview.get'],
  });
  // Only a payment that this installation made can be recorded: its id is that of the lost payout.
  const isUnknown = kind === 'unknown_payment' && discrepancy.payoutId !== null;
  const submit = () => {
    const { note, affiliateId } = form.values;
    const body = { note, affiliateId: isUnknown && affiliateId !== null ? affiliateId : undefined };
    resolve.mutate(
      { path: { programId, id: discrepancy.id }, body },
      {
        onSuccess: () => {
          showToast(t('resolve.done'), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(`kind.${kind}.title`)}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} icon="check" isBusy={resolve.isPending}>
          {t('resolve.action')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={submit}>
        <Text>{t(`kind.${kind}.resolve`)}</Text>
        {isUnknown ? (
          <AffiliateSelect
            {...form.field('affiliateId')}
            label={t('resolve.affiliate')}
            help={t('resolve.affiliateHelp')}
            current={affiliate ? { id: affiliate.id, name: affiliate.name } : null}
          />
        ) : null}
        <TextInput {...form.field('note')} label={t('resolve.note')} help={t('resolve.noteHelp')} maxLength={500} isRequired hasAutoFocus />
      </Form>
    </Sheet>
  );
}
