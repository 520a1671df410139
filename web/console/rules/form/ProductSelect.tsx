// Choosing a product by name; the server searches while typing.
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import type { FieldProps } from '../../../ui/form/fields.tsx';
import { Select } from '../../../ui/form/select.tsx';

type Props = FieldProps<string | null> & { placeholder?: string };

export function ProductSelect({ value, placeholder = '', ...field }: Props) {
  const { id: programId } = useProgram();
  const [search, setSearch] = useState('');
  const known = useRead('products.get', { path: { programId, id: value ?? '' } }, { enabled: value !== null });
  const chosen = value === null ? undefined : known.data;
  const text = search === chosen?.name ? '' : search.trim();
  const query = { search: text || undefined, limit: 20, status: ['active' as const], sort: 'name' as const };
  const read = useRead('productTable.list', { path: { programId }, query });
  const found = (read.data?.products ?? []).filter(({ id }) => id !== value);
  const options = [
    ...(value === null ? [] : [{ value, label: chosen?.name ?? '…' }]),
    ...found.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return <Select {...field} value={value} options={options} placeholder={placeholder} canClear onSearch={setSearch} />;
}
