import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { ProductForm, problemOf } from './ProductForm.tsx';
import { emptyProduct, toBody } from './product-values.ts';

const formId = 'create-product';

/** Adds a product to the catalogue. */
export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const form = useForm(emptyProduct);
  const create = useAction('products.create', { invalidates: ['productTable.list', 'products.list'] });
  const close = () => {
    form.reset(emptyProduct);
    onClose();
  };
  const submit = () =>
    create.mutate(
      { path: { programId }, body: toBody(form.values) },
      {
        onSuccess: ({ name }) => {
          showToast(t('created', { name }), { tone: 'success' });
          close();
        },
        onError: (error) => form.setProblem(problemOf(error)),
      },
    );
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('createTitle')}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={create.isPending}>
            {t('create')}
          </Button>
        </>
      }
    >
      <ProductForm form={form} id={formId} onSubmit={submit} />
    </Sheet>
  );
}
