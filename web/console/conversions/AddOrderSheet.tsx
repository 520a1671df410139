// Entering an order that no store reports. The preview uses the same look-up and calculation as the recording.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input, Result } from '../../api/call.ts';
import type { RequestError } from '../../api/errors.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { startOfDay } from '../../ui/figures/days.ts';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { DateInput } from '../../ui/form/dates.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, useForm } from '../../ui/form/form.tsx';
import { useNavigate } from '../../ui/layout/link.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { AffiliatePicker, type PickedAffiliate } from './AffiliatePicker.tsx';
import styles from './conversions.module.css';
import { useSay } from './order/use-say.ts';

type Values = {
  orderId: string;
  amountCents: number | null;
  affiliateId: PickedAffiliate | null;
  couponCode: string;
  referralCode: string;
  occurredAt: string | null;
  customer: string;
};
type Preview = Result<'commissionRules.preview'>;
type Body = Input<'conversions.enter'>['body'];

const empty: Values = {
  orderId: '',
  amountCents: null,
  affiliateId: null,
  couponCode: '',
  referralCode: '',
  occurredAt: null,
  customer: '',
};

export function AddOrderSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('conversions');
  const program = useProgram();
  const navigate = useNavigate();
  const say = useSay(program.currency);
  const form = useForm(empty);
  const [previewed, setPreviewed] = useState<{ body: string; result: Preview } | null>(null);
  const preview = useAction('commissionRules.preview');
  const enter = useAction('conversions.enter', { invalidates: ['orderTable.list', 'conversions.totals', 'unattributedOrders.list'] });
  const body = toBody(form.values, program.timezone);
  const current = previewed?.body === JSON.stringify(body) ? previewed.result : null;
  const path = { programId: program.id };
  const fail = (error: RequestError) =>
    form.setProblem({ message: error.status === 409 ? t('addSheet.exists') : error.message, details: error.details });
  const submit = () => {
    if (!current)
      return preview.mutate({ path, body }, { onSuccess: (result) => setPreviewed({ body: JSON.stringify(body), result }), onError: fail });
    enter.mutate(
      { path, body },
      {
        onSuccess: ({ id, orderId }) => {
          const action = { label: t('addSheet.open'), onClick: () => navigate(program.href(`conversions/${id}`)) };
          showToast(t('addSheet.done', { orderId }), { tone: 'success', action });
          onClose();
        },
        onError: fail,
      },
    );
  };
  const amount = current?.affiliateId ? t('addSheet.submitAmount', { amount: say.money(current.commissionCents) }) : t('addSheet.submit');
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('addSheet.title')}
      detail={t('addSheet.detail')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form="add-order" isBusy={preview.isPending || enter.isPending}>
          {current ? amount : t('addSheet.preview')}
        </Button>
      }
    >
      <Form form={form} id="add-order" onSubmit={submit}>
        <Fields form={form} currency={program.currency} />
        {current ? <PreviewOf preview={current} affiliate={form.values.affiliateId} /> : null}
      </Form>
    </Sheet>
  );
}

function Fields({ form, currency }: { form: ReturnType<typeof useForm<Values>>; currency: string }) {
  const { t } = useTranslation('conversions');
  return (
    <>
      <FieldRow>
        <TextInput label={t('addSheet.orderId')} {...form.field('orderId')} isMono hasAutoFocus maxLength={255} />
        <MoneyInput label={t('addSheet.amount')} help={t('addSheet.amountHelp')} {...form.field('amountCents')} currency={currency} />
      </FieldRow>
      <AffiliatePicker label={t('addSheet.affiliate')} help={t('addSheet.affiliateHelp')} {...form.field('affiliateId')} />
      <FieldRow>
        <TextInput label={t('addSheet.coupon')} {...form.field('couponCode')} isMono maxLength={100} />
        <TextInput label={t('addSheet.referral')} {...form.field('referralCode')} isMono maxLength={100} />
      </FieldRow>
      <FieldRow>
        <DateInput label={t('addSheet.date')} help={t('addSheet.dateHelp')} {...form.field('occurredAt')} />
        <TextInput label={t('addSheet.customer')} help={t('addSheet.customerHelp')} {...form.field('customer')} type="email" />
      </FieldRow>
    </>
  );
}

function PreviewOf({ preview, affiliate }: { preview: Preview; affiliate: PickedAffiliate | null }) {
  const { t } = useTranslation('conversions');
  const say = useSay(preview.currency);
  if (preview.affiliateId === null) return <div className={styles.preview}>{t('addSheet.noAffiliate')}</div>;
  return (
    <section className={styles.preview} aria-label={t('addSheet.previewTitle')} aria-live="polite">
      <strong>{t('addSheet.previewTitle')}</strong>
      <span className={styles.previewAmount}>{say.money(preview.commissionCents)}</span>
      <bdi>{affiliate?.id === preview.affiliateId ? affiliate.name : null}</bdi>
      {preview.warnings.map(({ code, message }) => (
        <span key={code}>{message}</span>
      ))}
    </section>
  );
}

/** The order as the API takes it; empty fields are left out. The server reports what is missing. */
function toBody(values: Values, timezone: string): Body {
  const { orderId, amountCents, affiliateId, couponCode, referralCode, occurredAt, customer } = values;
  const text = (value: string) => (value.trim() === '' ? null : value.trim());
  const email = text(customer);
  const order = {
    orderId: orderId.trim(),
    affiliateId: affiliateId?.id ?? null,
    couponCode: text(couponCode),
    referralCode: text(referralCode),
    customer: email === null ? null : { email },
  };
  const dated = occurredAt === null ? order : { ...order, occurredAt: startOfDay(occurredAt, timezone) };
  return { ...dated, amountCents } as Body;
}
