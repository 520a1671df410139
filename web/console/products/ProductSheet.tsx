// One product: its details, who may promote it and which rule pays for it; editing and archiving.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { type FieldTexts, StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { ProductFacts } from './ProductFacts.tsx';
import { ProductForm, problemOf } from './ProductForm.tsx';
import { affected, type Product, type ProductValues, toUpdate, toValues } from './product-values.ts';

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
  const isArchived = product.status === 'archived';
  const edit = useProductEdit(product, onClose);
  const texts = useFieldTexts();
  const { form, conflict, isBusy, submit } = edit;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('editTitle', { name: product.name })}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form={formId} keys="mod+s" isBusy={isBusy} disabled={conflict !== null}>
            {t('save')}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <StaleNotice edit={edit} toValues={toValues} {...texts} />
        <ProductForm form={form} id={formId} onSubmit={submit} isArchived={isArchived} />
      </Stack>
    </Sheet>
  );
}

function useProductEdit(product: Product, onClose: () => void) {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const path = { programId, id: product.id };
  const update = useAction('products.update', { invalidates: affected });
  return useEdit({
    stored: product,
    toValues,
    load: () => call('products.get', { path }),
    save: ({ base, values }) =>
      update.mutateAsync({ path, body: toUpdate(toValues(base), values, base.status === 'archived'), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
    toProblem: problemOf,
  });
}

/** The names of fields and values in a conflict. */
function useFieldTexts(): FieldTexts<Product, ProductValues> {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const groups = useRead('groups.list', { path: { programId }, query: { limit: 200, sort: 'name' } });
  const names = new Map(groups.data?.groups.map(({ id, name }) => [id, name]));
  return {
    labels: {
      name: t('field.name'),
      priceCents: t('field.price'),
      compareAtPriceCents: t('field.compareAt'),
      checkoutUrl: t('field.checkoutUrl'),
      imageUrl: t('field.imageUrl'),
      category: t('field.category'),
      brand: t('field.brand'),
      sku: t('field.sku'),
      externalId: t('field.externalId'),
      description: t('field.description'),
      isDraft: t('field.draft'),
      availability: t('column.availability'),
      allowedGroupIds: t('column.groups'),
    },
    show: (name, { availability, allowedGroupIds }) => {
      if (name === 'availability' && availability !== null) return t(`availability.${availability}`);
      if (name !== 'allowedGroupIds') return undefined;
      return allowedGroupIds.length === 0 ? t('everyone') : allowedGroupIds.map((id) => names.get(id) ?? '–').join(', ');
    },
  };
}
