// A coupon for one affiliate. Without a code, one is made from the affiliate's name.
import { useTranslation } from 'react-i18next';
import type { RequestError } from '../../api/errors.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, type FormProblem, useForm } from '../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { AffiliateSelect } from '../affiliates/AffiliateSelect.tsx';
import { emptyTerms, type TermValues, toTerms } from './coupon-values.ts';
import { TermFields } from './TermFields.tsx';

type Values = TermValues & { affiliateId: string | null; code: string };

const empty: Values = Object.assign({ affiliateId: null, code: '' }, emptyTerms);
const formId = 'create-coupon';

export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('coupons');
  const { id: programId, timezone } = useProgram();
  const form = useForm(empty);
  const create = useAction('coupons.create', { invalidates: ['coupons.list'] });
  const close = () => {
    form.reset(empty);
    onClose();
  };
  const submit = () => {
    const { affiliateId, code } = form.values;
    if (affiliateId === null) return form.setMissing(['affiliateId']);
    const body = Object.assign({ affiliateId, code: code.trim() || undefined }, toTerms(form.values, timezone));
    create.mutate(
      { path: { programId }, body },
      {
        onSuccess: (coupon) => {
          showToast(t('created', { code: coupon.code }), { tone: 'success' });
          close();
        },
        onError: (error) => form.setProblem(problemOf(error)),
      },
    );
  };
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
      <Form form={form} id={formId} onSubmit={submit}>
        <AffiliateSelect {...form.field('affiliateId')} label={t('column.affiliate')} current={null} isRequired />
        <TextInput {...form.field('code')} label={t('column.code')} help={t('field.codeHelp')} isMono maxLength={64} />
        <TermFields form={form} />
      </Form>
    </Sheet>
  );
}

function problemOf({ code, message, details }: RequestError): FormProblem {
  return code === 'coupon_taken' ? { message, details: [{ path: ['code'], message: 'is already used' }] } : { message, details };
}
