// Granting the same bonus to one or several affiliates. The button names the sum before it is granted.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { TextArea } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Row } from '../../ui/layout/stack.tsx';
import { Tag } from '../../ui/marks/tag.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { AffiliatePicker, type PickedAffiliate } from '../conversions/AffiliatePicker.tsx';
import { affected } from './ChangeForm.tsx';

type Values = { affiliateIds: readonly PickedAffiliate[]; amountCents: number | null; note: string };

export function BonusSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // A new form each time the sheet opens.
  const [opened, setOpened] = useState({ isOpen, count: 0 });
  if (opened.isOpen !== isOpen) setOpened({ isOpen, count: opened.count + 1 });
  return <BonusForm key={opened.count} isOpen={isOpen} onClose={onClose} />;
}

function BonusForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('commissions');
  const { id: programId, currency } = useProgram();
  const { language } = useFigures();
  const form = useForm<Values>({ affiliateIds: [], amountCents: null, note: '' });
  const grant = useAction('commissions.grantMany', { invalidates: affected });
  const { affiliateIds: picked, amountCents, note } = form.values;
  const totalCents = picked.length * (amountCents ?? 0);
  const total = formatMoney(totalCents, currency, language);
  const submit = () =>
    grant.mutate(
      {
        path: { programId },
        body: {
          affiliateIds: picked.map(({ id }) => id),
          amountCents: amountCents ?? 0,
          note: note.trim(),
          expectedTotalCents: totalCents,
        },
      },
      {
        onSuccess: ({ granted }) => {
          showToast(t('bonus.done', { count: granted, amount: total }), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('grant')}
      detail={t('bonus.detail')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form="grant-bonus" isBusy={grant.isPending}>
          {totalCents > 0 ? t('bonus.submit', { count: picked.length, amount: total }) : t('grant')}
        </Button>
      }
    >
      <Form form={form} id="grant-bonus" onSubmit={submit}>
        <Affiliates picked={picked} onChange={(affiliateIds) => form.setValues({ affiliateIds })} error={form.errors.affiliateIds} />
        <MoneyInput label={t('bonus.amount')} currency={currency} {...form.field('amountCents')} />
        <TextArea label={t('note')} help={t('noteHelp')} {...form.field('note')} maxLength={500} rows={2} />
      </Form>
    </Sheet>
  );
}

type AffiliatesProps = {
  picked: readonly PickedAffiliate[];
  onChange: (picked: readonly PickedAffiliate[]) => void;
  error: string | undefined;
};

/** Each choice is added to the list above the field. */
function Affiliates({ picked, onChange, error }: AffiliatesProps) {
  const { t } = useTranslation('commissions');
  const add = (one: PickedAffiliate | null) => {
    if (one && !picked.some(({ id }) => id === one.id)) onChange([...picked, one]);
  };
  return (
    <>
      {picked.length === 0 ? null : (
        <Row>
          {picked.map(({ id, name }) => (
            <Tag key={id} onRemove={() => onChange(picked.filter((one) => one.id !== id))}>
              {name}
            </Tag>
          ))}
        </Row>
      )}
      <AffiliatePicker
        key={picked.length}
        label={t('bonus.affiliates')}
        help={t('bonus.affiliatesHelp')}
        name="affiliateIds"
        value={null}
        onChange={add}
        error={error}
      />
    </>
  );
}
