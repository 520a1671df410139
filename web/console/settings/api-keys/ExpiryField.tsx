import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../../../ui/form/fields.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { type Expiry, expiries } from './expiry.ts';

type Props = Omit<FieldProps<Expiry>, 'label' | 'help'>;

/** When a new key expires. */
export function ExpiryField({ value, onChange, ...rest }: Props) {
  const { t } = useTranslation('api-keys');
  return (
    <Select
      {...rest}
      label={t('field.expiry')}
      help={t('field.expiryHelp')}
      value={value}
      onChange={onChange}
      options={expiries.map((each) => ({ value: each, label: t(`expiry.${each}`) }))}
    />
  );
}
