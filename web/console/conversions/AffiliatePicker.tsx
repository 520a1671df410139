import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { fullName } from '../../ui/figures/full-name.ts';
import type { FieldProps } from '../../ui/form/fields.tsx';
import { Select } from '../../ui/form/select.tsx';

export type PickedAffiliate = { id: string; name: string };

type Props = Omit<FieldProps<PickedAffiliate | null>, 'onBlur'>;

/** An active affiliate, found while typing a name, email or code. */
export function AffiliatePicker({ value, onChange, ...field }: Props) {
  const { id: programId } = useProgram();
  const [text, setText] = useState('');
  const search = text === value?.name ? '' : text;
  const { data } = useRead('affiliates.list', {
    path: { programId },
    query: { status: ['active'], limit: 20, search: search === '' ? undefined : search },
  });
  const found = (data?.affiliates ?? []).map(({ id, firstName, lastName, email }) => ({
    id,
    name: fullName({ firstName, lastName }),
    email,
  }));
  const isListed = value === null || found.some(({ id }) => id === value.id);
  const options = [
    ...(isListed ? [] : [{ value: value.id, label: value.name }]),
    ...found.map(({ id, name, email }) => ({ value: id, label: name, detail: email })),
  ];
  return (
    <Select
      {...field}
      value={value?.id ?? null}
      options={options}
      onSearch={setText}
      canClear
      onChange={(id) => onChange(found.find((one) => one.id === id) ?? null)}
    />
  );
}
