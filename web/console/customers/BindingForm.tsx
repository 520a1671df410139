// Changes the affiliate of a customer, or ends their binding. The reason is required.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { AffiliatePicker, type PickedAffiliate } from '../conversions/AffiliatePicker.tsx';
import styles from './customers.module.css';

export type CustomerDetail = Result<'customers.get'>;

export type BindingMode = 'change' | 'unbind';

type Props = { customer: CustomerDetail; mode: BindingMode; onChanged: (hasChanges: boolean) => void; onDone: () => void };
type Values = { affiliateId: PickedAffiliate | null; note: string };

export function BindingForm({ customer, mode, onChanged, onDone }: Props) {
  const { t } = useTranslation('customers');
  const { id: programId } = useProgram();
  const form = useForm<Values>({ affiliateId: null, note: '' });
  const { affiliateId: picked, note } = form.values;
  const update = useAction('customers.update', { invalidates: ['customers.get', 'customerTable.list'] });
  const { hasChanges } = form;
  useEffect(() => onChanged(hasChanges), [hasChanges, onChanged]);
  const isComplete = mode === 'unbind' || (picked !== null && picked.id !== customer.affiliateId);
  const submit = () =>
    update.mutate(
      { path: { programId, id: customer.id }, body: { affiliateId: picked?.id ?? null, note } },
      {
        onSuccess: () => {
          showToast(picked ? t('form.bound', { name: picked.name }) : t('form.unbound'), { tone: 'success' });
          onDone();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  return (
    <Form form={form} id="binding" onSubmit={submit}>
      <Stack gap={16}>
        {mode === 'change' ? <AffiliatePicker label={t('form.affiliate')} {...form.field('affiliateId')} /> : null}
        <TextInput label={t('form.note')} help={t('form.noteHelp')} {...form.field('note')} maxLength={500} isRequired />
        <p className={styles.line}>{t('form.onlyLater')}</p>
        <Row>
          <Button kind="primary" type="submit" isBusy={update.isPending} disabled={!isComplete}>
            {mode === 'unbind' ? t('form.unbind') : t('form.save')}
          </Button>
          <Button onClick={onDone}>{t('form.cancel')}</Button>
        </Row>
      </Stack>
    </Form>
  );
}
