// Changing the terms of a coupon. Its code and affiliate never change.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { type FieldTexts, StaleNotice } from '../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../states/edit/use-edit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { affected, type Coupon, type TermValues, toUpdate, toValues } from './coupon-values.ts';
import { TermFields } from './TermFields.tsx';

const formId = 'edit-coupon';

export function EditSheet({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  const { t } = useTranslation('coupons');
  const { timezone } = useProgram();
  const edit = useCouponEdit(coupon, onClose);
  const texts = useFieldTexts();
  const { form, conflict, isBusy, submit } = edit;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('editTitle', { code: coupon.code })}
      detail={t('editDetail')}
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
      <Form form={form} id={formId} onSubmit={submit}>
        <StaleNotice edit={edit} toValues={(given) => toValues(given, timezone)} {...texts} />
        <TermFields form={form} products={edit.base.products ?? []} />
      </Form>
    </Sheet>
  );
}

function useCouponEdit(coupon: Coupon, onClose: () => void) {
  const { t } = useTranslation('coupons');
  const { id: programId, timezone } = useProgram();
  const path = { programId, id: coupon.id };
  const update = useAction('coupons.update', { invalidates: affected });
  return useEdit({
    stored: coupon,
    toValues: (given) => toValues(given, timezone),
    load: () => call('coupons.get', { path, query: { expand: 'affiliate,products' } }),
    save: ({ base, values }) =>
      update.mutateAsync({ path, body: toUpdate(toValues(base, timezone), values, timezone), ifMatch: base.version }),
    onSaved: () => {
      showToast(t('saved'), { tone: 'success' });
      onClose();
    },
  });
}

/** The names of fields and values in a conflict. */
function useFieldTexts(): FieldTexts<Coupon, TermValues> {
  const { t } = useTranslation('coupons');
  return {
    labels: {
      discount: t('field.discount'),
      discountRate: t('discount.percentage'),
      discountCents: t('discount.flat'),
      minOrderCents: t('field.minOrder'),
      startsOn: t('field.startsOn'),
      endsOn: t('field.endsOn'),
      maxRedemptions: t('field.maxRedemptions'),
      creditPolicy: t('field.creditPolicy'),
      commission: t('field.commission'),
      commissionRate: t('commission.percentage'),
      commissionCents: t('commission.flat'),
      productIds: t('field.products'),
    },
    show: (name, values, stored) => {
      if (name === 'productIds')
        return stored?.products?.map((product) => product.name).join(', ') || t('productCount', { count: values.productIds.length });
      if (name === 'discount' || name === 'commission') return t(`${name}.${values[name]}`);
      return name === 'creditPolicy' && values.creditPolicy !== null ? t(`policy.${values.creditPolicy}`) : undefined;
    },
  };
}
