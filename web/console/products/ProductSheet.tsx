// One product: its details, who may promote it and which rule pays for it; editing and archiving.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { useForm } from '../../ui/form/form.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { ProductFacts } from './ProductFacts.tsx';
import { ProductForm, problemOf } from './ProductForm.tsx';
import { type Product, toUpdate, toValues } from './product-values.ts';

const affected = ['productTable.list', 'products.list', 'products.get', 'commissionRules.resolve'] as const;
const formId = 'edit-product';

type Props = { id: string; onClose: () => void; onPrevious: (() => void) | undefined; onNext: (() => void) | undefined };

export function ProductSheet({ id, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const [edited, setEdited] = useState<Product | null>(null);
  const read = useRead('products.get', { path: { programId, id } });
  if (edited) return <EditSheet product={edited} onClose={() => setEdited(null)} />;
  return (
    <Sheet isOpen onClose={onClose} title={read.data?.name ?? t('whatOne')} onPrevious={onPrevious} onNext={onNext}>
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(product) => (
          <Stack gap={24}>
            <Actions product={product} onEdit={() => setEdited(product)} />
            <ProductFacts product={product} />
          </Stack>
        )}
      </Loaded>
    </Sheet>
  );
}

function Actions({ product: { id, name, status, checkoutUrl }, onEdit }: { product: Product; onEdit: () => void }) {
  const { t } = useTranslation('products');
  const { id: programId, can } = useProgram();
  const update = useAction('products.update', { invalidates: affected });
  const change = (next: 'active' | 'archived') =>
    update.mutate(
      { path: { programId, id }, body: { status: next } },
      {
        onSuccess: () => showToast(t(`changed.${next}`, { name }), { onUndo: next === 'archived' ? () => change('active') : undefined }),
        onError: showProblem,
      },
    );
  return (
    <Row>
      {can('terms.write') ? (
        <>
          <Button icon="edit" onClick={onEdit}>
            {t('edit')}
          </Button>
          {status === 'active' ? null : (
            <Button icon="check" isBusy={update.isPending} onClick={() => change('active')}>
              {t(status === 'draft' ? 'publish' : 'restore')}
            </Button>
          )}
          {status === 'archived' ? null : (
            <Button icon="archive" isBusy={update.isPending} onClick={() => change('archived')}>
              {t('archive')}
            </Button>
          )}
        </>
      ) : null}
      <ButtonLink icon="external" href={checkoutUrl} isNewTab>
        {t('openShop')}
      </ButtonLink>
    </Row>
  );
}

function EditSheet({ product, onClose }: { product: Product; onClose: () => void }) {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const saved = toValues(product);
  const form = useForm(saved);
  const update = useAction('products.update', { invalidates: affected });
  const isArchived = product.status === 'archived';
  const submit = () =>
    update.mutate(
      { path: { programId, id: product.id }, body: toUpdate(saved, form.values, isArchived) },
      {
        onSuccess: () => {
          showToast(t('saved'), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem(problemOf(error)),
      },
    );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('editTitle', { name: product.name })}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={update.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <ProductForm form={form} id={formId} onSubmit={submit} isArchived={isArchived} />
    </Sheet>
  );
}
