// The products that a coupon is valid for; the server searches while typing.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import type { FieldProps } from '../../ui/form/fields.tsx';
import { MultiSelect } from '../../ui/form/select.tsx';

export type ProductName = { id: string; name: string };

/** `known`: the products that are chosen at first, so that their names are shown before anything is searched. */
type Props = Pick<FieldProps<readonly string[]>, 'name' | 'value' | 'onChange' | 'error'> & { known: readonly ProductName[] };

export function ProductsField({ known, onChange, ...field }: Props) {
  const { t } = useTranslation('coupons');
  const { id: programId } = useProgram();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(known);
  const query = { search: search.trim() || undefined, limit: 20, status: ['active' as const], sort: 'name' as const };
  const read = useRead('productTable.list', { path: { programId }, query });
  // What was found comes first: the arrow keys start there.
  const names = new Map([...(read.data?.products ?? []), ...chosen, ...known].map(({ id, name }) => [id, name]));
  const change = (ids: readonly string[]) => {
    setChosen(ids.map((id) => ({ id, name: names.get(id) ?? id })));
    onChange(ids);
  };
  return (
    <MultiSelect
      {...field}
      onChange={change}
      label={t('field.products')}
      placeholder={t('allProducts')}
      help={t('field.productsHelp')}
      options={[...names].map(([value, label]) => ({ value, label }))}
      onSearch={setSearch}
    />
  );
}
