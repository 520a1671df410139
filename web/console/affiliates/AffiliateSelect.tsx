// Choosing an affiliate by name, email or code; the server searches while typing.
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { fullName } from '../../ui/figures/full-name.ts';
import type { FieldProps } from '../../ui/form/fields.tsx';
import { Select } from '../../ui/form/select.tsx';

type Reference = { id: string; name: string };

type Props = FieldProps<string | null> & {
  /** Who is chosen at first, so that the name is shown before anything is searched. */
  current: Reference | null;
  /** An affiliate who can't be chosen: the one that is edited. */
  excludeId?: string;
  placeholder?: string;
};

export function AffiliateSelect({ current, excludeId, ...field }: Props) {
  const { id: programId } = useProgram();
  const [search, setSearch] = useState('');
  // Once something is chosen, the field's own text is not a search.
  const isName = search === current?.name;
  const read = useRead('affiliates.list', { path: { programId }, query: { search: isName ? undefined : search || undefined, limit: 20 } });
  const found = (read.data?.affiliates ?? []).filter(({ id }) => id !== excludeId && id !== current?.id);
  const options = [
    ...(current ? [{ value: current.id, label: current.name }] : []),
    ...found.map((affiliate) => ({ value: affiliate.id, label: fullName(affiliate), detail: affiliate.email })),
  ];
  return <Select {...field} options={options} canClear onSearch={setSearch} />;
}
