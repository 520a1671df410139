// Finds affiliates by name in a list that is completely loaded.
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Icon } from '../../../ui/icons.tsx';

export function NameSearch({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('payouts');
  return (
    <TextInput
      type="search"
      label={t('findName')}
      isLabelHidden
      placeholder={t('findName')}
      before={<Icon name="search" size={16} />}
      value={value}
      onChange={onChange}
    />
  );
}
