import { useMemo } from 'react';
import type { FieldProps } from './fields.tsx';
import { Select } from './select.tsx';

/** A choice of the time zones that the browser knows, and of the current one. */
export function TimezoneSelect(props: FieldProps<string>) {
  const { value } = props;
  const options = useMemo(
    () => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])].map((name) => ({ value: name, label: name })),
    [value],
  );
  return <Select {...props} options={options} isSearchable />;
}
