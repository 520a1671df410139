import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { BountyFields } from './BountyFields.tsx';
import { affected, emptyBounty, findMissing, toNewBounty } from './bounty-values.ts';

const formId = 'create-bounty';

/** Creates a bounty. */
export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('bounties');
  const { id: programId } = useProgram();
  const form = useForm(emptyBounty);
  const create = useAction('bounties.create', { invalidates: affected });
  const close = () => {
    form.reset(emptyBounty);
    onClose();
  };
  const submit = () => {
    const missing = findMissing(form.values);
    if (missing.length > 0) return form.setMissing(missing);
    create.mutate(
      { path: { programId }, body: toNewBounty(form.values) },
      {
        onSuccess: ({ name }) => {
          showToast(t('created', { name }), { tone: 'success' });
          close();
        },
        onError: (error) => form.setProblem(error),
      },
    );
  };
  const footer = (
    <>
      <CancelButton>{t('cancel')}</CancelButton>
      <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={create.isPending}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Sheet isOpen={isOpen} onClose={close} title={t('createTitle')} detail={t('createDetail')} hasChanges={form.hasChanges} footer={footer}>
      <Form form={form} id={formId} onSubmit={submit}>
        <BountyFields form={form} isNew />
      </Form>
    </Sheet>
  );
}
