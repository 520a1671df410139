// Adding a resource to the library.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../api/errors.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { ResourceFields } from './ResourceFields.tsx';
import { affected, emptyResource, findMissing, toNewResource } from './resource-values.ts';
import { useProblem } from './use-problem.ts';

const formId = 'create-resource';

export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('resources');
  const { id: programId } = useProgram();
  const form = useForm(emptyResource);
  const [isBusy, setIsBusy] = useState(false);
  const create = useAction('resources.create', { invalidates: affected });
  const toProblem = useProblem();
  const close = () => {
    form.reset(emptyResource);
    onClose();
  };
  const submit = async () => {
    const missing = findMissing(form.values, true);
    if (missing.length > 0) return form.setMissing(missing);
    setIsBusy(true);
    try {
      const { title } = await create.mutateAsync({ path: { programId }, body: await toNewResource(form.values) });
      showToast(t('created', { title }), { tone: 'success' });
      close();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem(toProblem(error));
    } finally {
      setIsBusy(false);
    }
  };
  const footer = (
    <>
      <CancelButton>{t('cancel')}</CancelButton>
      <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={isBusy}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Sheet isOpen={isOpen} onClose={close} title={t('createTitle')} detail={t('createDetail')} hasChanges={form.hasChanges} footer={footer}>
      <Form form={form} id={formId} onSubmit={() => void submit()}>
        <ResourceFields form={form} stored={null} />
      </Form>
    </Sheet>
  );
}
