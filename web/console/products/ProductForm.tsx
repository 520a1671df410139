// The fields of a product, for a new one and for changes.
import { useTranslation } from 'react-i18next';
import type { RequestError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { MoneyInput } from '../../ui/form/amounts.tsx';
import { Switch } from '../../ui/form/choices.tsx';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, type FormProblem, type FormState } from '../../ui/form/form.tsx';
import { MultiSelect, Select } from '../../ui/form/select.tsx';
import { Promoters } from './Promoters.tsx';
import { availabilities } from './product-table.ts';
import { findMissing, type ProductValues } from './product-values.ts';

type Props = { form: FormState<ProductValues>; id: string; onSubmit: () => void; isArchived?: boolean };

export function ProductForm({ form, id, onSubmit, isArchived = false }: Props) {
  const { t } = useTranslation('products');
  const { currency } = useProgram();
  const submit = () => {
    const missing = findMissing(form.values);
    if (missing.length === 0) return onSubmit();
    form.setMissing(missing);
  };
  return (
    <Form form={form} id={id} onSubmit={submit}>
      <TextInput {...form.field('name')} label={t('field.name')} maxLength={200} hasAutoFocus isRequired />
      <FieldRow>
        <MoneyInput {...form.field('priceCents')} label={t('field.price')} currency={currency} isRequired />
        <MoneyInput
          {...form.field('compareAtPriceCents')}
          label={t('field.compareAt')}
          help={t('field.compareAtHelp')}
          currency={currency}
        />
      </FieldRow>
      <TextInput
        {...form.field('checkoutUrl')}
        label={t('field.checkoutUrl')}
        help={t('field.checkoutUrlHelp')}
        type="url"
        inputMode="url"
        isRequired
      />
      <TextInput {...form.field('imageUrl')} label={t('field.imageUrl')} type="url" inputMode="url" />
      <TextArea {...form.field('description')} label={t('field.description')} maxLength={5000} />
      <FieldRow>
        <TextInput {...form.field('category')} label={t('field.category')} help={t('field.categoryHelp')} maxLength={100} />
        <TextInput {...form.field('brand')} label={t('field.brand')} maxLength={100} />
      </FieldRow>
      <FieldRow>
        <TextInput {...form.field('sku')} label={t('field.sku')} isMono maxLength={100} />
        <TextInput {...form.field('externalId')} label={t('field.externalId')} help={t('field.externalIdHelp')} isMono maxLength={200} />
      </FieldRow>
      <Select
        {...form.field('availability')}
        label={t('column.availability')}
        options={availabilities.map((value) => ({ value, label: t(`availability.${value}`) }))}
      />
      <Groups form={form} />
      {isArchived ? null : <Switch {...form.field('isDraft')} label={t('field.draft')} help={t('field.draftHelp')} />}
    </Form>
  );
}

/** The groups that may promote the product, and how many affiliates that are. */
function Groups({ form }: { form: FormState<ProductValues> }) {
  const { t } = useTranslation('products');
  const { id: programId } = useProgram();
  const { allowedGroupIds } = form.values;
  const read = useRead('groups.list', { path: { programId }, query: { limit: 200, sort: 'name' } });
  const groups = read.data?.groups.filter(({ id, status }) => status === 'active' || allowedGroupIds.includes(id)) ?? [];
  return (
    <MultiSelect
      {...form.field('allowedGroupIds')}
      label={t('column.groups')}
      placeholder={t('everyone')}
      help={<Promoters groupIds={allowedGroupIds} />}
      options={groups.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** The errors of a failed request by field: an id that is taken is shown at its field. */
export function problemOf({ code, message, details }: RequestError): FormProblem {
  return code === 'product_exists' ? { message, details: [{ path: ['externalId'], message: 'is already used' }] } : { message, details };
}
