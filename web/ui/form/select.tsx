// Choosing one or several of a list; long lists are searched while typing.
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect as BaseMultiSelect, Select as BaseSelect, type OptionsFilter } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import { isolated } from '../layout/isolated.tsx';
import { type FieldProps, fieldProps } from './fields.tsx';
import styles from './form.module.css';

export type Option<Id extends string = string> = { value: Id; label: string; detail?: string; isDisabled?: boolean };

type Common<Id extends string> = {
  options: readonly Option<Id>[];
  placeholder?: string;
  /** On by default for more than eight options. */
  isSearchable?: boolean;
  /** Options from the server: called while typing. Filtering is left to the caller. */
  onSearch?: (text: string) => void;
};

type Base<Id extends string> = Omit<FieldProps<Id | null>, 'onChange'> & Common<Id>;

/** Only a choice that can be cleared becomes null; another one can be null until the first option is chosen. */
type SelectProps<Id extends string> = Base<Id> &
  ({ canClear?: false; onChange: (value: Id) => void } | { canClear: true; onChange: (value: Id | null) => void });

export function Select<Id extends string>(props: SelectProps<Id>) {
  const { options, value, placeholder, isSearchable = options.length > 8, canClear = false, onSearch } = props;
  const { t } = useTranslation('ui');
  const choose = (text: string | null) => {
    const next = options.find((option) => option.value === text)?.value;
    if (next !== undefined) props.onChange(next);
    else if (props.canClear) props.onChange(null);
  };
  return (
    <BaseSelect
      {...fieldProps(props)}
      {...listProps(options, onSearch)}
      value={value}
      onChange={choose}
      placeholder={placeholder ?? ''}
      searchable={isSearchable || onSearch !== undefined}
      clearable={canClear}
      allowDeselect={canClear}
      nothingFoundMessage={t('select.empty')}
      rightSection={canClear && value !== null ? undefined : <Icon name="chevronDown" size={16} />}
    />
  );
}

type MultiSelectProps<Id extends string> = FieldProps<readonly Id[]> & Common<Id>;

export function MultiSelect<Id extends string>(props: MultiSelectProps<Id>) {
  const { options, value, onChange, placeholder, isSearchable = options.length > 8, onSearch } = props;
  const { t } = useTranslation('ui');
  return (
    <BaseMultiSelect
      {...fieldProps(props)}
      {...listProps(options, onSearch)}
      value={[...value]}
      onChange={(next) => onChange(options.filter((option) => next.includes(option.value)).map((option) => option.value))}
      placeholder={value.length === 0 ? (placeholder ?? '') : ''}
      searchable={isSearchable || onSearch !== undefined}
      nothingFoundMessage={t('select.empty')}
      rightSection={<Icon name="chevronDown" size={16} />}
      hidePickedOptions={false}
    />
  );
}

function listProps<Id extends string>(options: readonly Option<Id>[], onSearch: ((text: string) => void) | undefined) {
  const details = new Map<string, string | undefined>(options.map((option) => [option.value, option.detail]));
  return {
    data: options.map((option) => ({ value: option.value as string, label: option.label, disabled: option.isDisabled ?? false })),
    ...(onSearch === undefined ? local : remote(onSearch)),
    renderOption: ({ option, checked }: { option: { value: string; label: string }; checked?: boolean }) => (
      <span className={styles.option}>
        <span className={styles.optionText}>
          {isolated(option.label)}
          {details.get(option.value) === undefined ? null : <span className={styles.optionDetail}>{details.get(option.value)}</span>}
        </span>
        {checked ? <Icon name="check" size={16} /> : null}
      </span>
    ),
    comboboxProps: { transitionProps: { duration: 0 }, offset: 4 },
  };
}

const local = {};

/** Options that the server has filtered already are all shown. */
function remote(onSearchChange: (text: string) => void): { onSearchChange: (text: string) => void; filter: OptionsFilter } {
  return { onSearchChange, filter: ({ options }) => options };
}
