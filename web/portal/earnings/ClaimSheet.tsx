// "Report a missing sale": the order number, and what was found about it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { useAccount } from '../session/account.ts';

type Claim = Result<'portal.createClaim'>;

const empty = { orderId: '', note: '' };

export function ClaimSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('portal-earnings');
  const { programId, programName } = useAccount();
  const form = useForm(empty);
  const [created, setCreated] = useState<Claim | null>(null);
  const create = useAction('portal.createClaim', { invalidates: ['portal.claims'] });
  const close = () => {
    form.reset(empty);
    setCreated(null);
    onClose();
  };
  const submit = () => {
    const { orderId, note } = form.values;
    create.mutate(
      { path: { programId }, body: { orderId, note: note.trim() === '' ? null : note } },
      {
        onSuccess: (claim) => {
          form.reset(empty);
          setCreated(claim);
        },
        onError: ({ code, message, details }) =>
          form.setProblem({
            message: code === 'claim_exists' ? t('claim.exists') : code === 'rate_limited' ? t('claim.tooMany') : message,
            details,
          }),
      },
    );
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('claim.title')}
      detail={t('claim.text', { program: programName })}
      hasChanges={form.hasChanges}
    >
      {created === null ? (
        <Form
          form={form}
          onSubmit={submit}
          buttons={
            <Button kind="primary" type="submit" isBusy={create.isPending}>
              {t('claim.submit')}
            </Button>
          }
        >
          <TextInput {...form.field('orderId')} label={t('claim.orderId')} help={t('claim.orderIdHelp')} isRequired hasAutoFocus />
          <TextArea {...form.field('note')} label={t('claim.note')} help={t('claim.noteHelp')} maxLength={2000} />
        </Form>
      ) : (
        <Stack gap={16}>
          <Notice icon="check" title={t('claim.done', { order: created.orderId })}>
            {t(`claim.found.${created.found}`, { program: programName })}
          </Notice>
          <div>
            <Button kind="primary" onClick={close}>
              {t('claim.close')}
            </Button>
          </div>
        </Stack>
      )}
    </Sheet>
  );
}
