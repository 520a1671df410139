// The fields of one tax form, section by section, with the signature at the end.
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/form/choices.tsx';
import { useCountries } from '../../ui/form/countries.ts';
import { DateInput } from '../../ui/form/dates.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import type { FormState } from '../../ui/form/form.tsx';
import { NativeSelect } from '../../ui/form/native-select.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { type ChoiceName, type Field, type FieldName, type Kind, listSections, type TextName, type Values } from './form.ts';
import styles from './tax-form.module.css';

type Props = { kind: Kind; form: FormState<Values> };

const memberStates = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '));
const classifications = ['individual', 'c_corporation', 's_corporation', 'partnership', 'trust_estate', 'llc', 'other'] as const;
const sellerTypes = ['individual', 'entity'] as const;

/** Numbers and codes. */
const monoNames: readonly FieldName[] = ['ssn', 'ein', 'foreignTin', 'usTin', 'giin', 'tin', 'vatId', 'registrationNumber', 'treaty.rate'];
const autoComplete: Partial<Record<FieldName, string>> = {
  name: 'name',
  firstName: 'given-name',
  lastName: 'family-name',
  'address.street': 'address-line1',
  'address.street2': 'address-line2',
  'address.city': 'address-level2',
  'address.state': 'address-level1',
  'address.region': 'address-level1',
  'address.postalCode': 'postal-code',
};

export function FormFields({ kind, form }: Props) {
  const { t } = useTranslation('portal-tax-form');
  return listSections(kind, form.values).map(({ id, fields }) => (
    <fieldset key={id} className={styles.section}>
      <legend className={styles.legend}>{t(`section.${id}`)}</legend>
      {id === 'number' || id === 'treaty' ? <Text size="small">{t(`sectionHelp.${id === 'treaty' ? 'treaty' : kind}`)}</Text> : null}
      {id === 'signature' ? <Text>{t(`certification.${kind}`)}</Text> : null}
      {fields.map((field) => (
        <OneField key={field.name} field={field} kind={kind} form={form} />
      ))}
      {id === 'signature' ? <Checkbox {...form.field('isCertified')} label={t('certify')} /> : null}
    </fieldset>
  ));
}

function OneField({ field: { name, isRequired }, kind, form }: Props & { field: Field }) {
  const label = useLabel(name, { kind, isRequired });
  if (name === 'birthDate') return <DateInput {...form.field(name)} label={label} isRequired={isRequired} />;
  if (isChoice(name)) return <Choice name={name} label={label} isRequired={isRequired} form={form} />;
  return (
    <TextInput
      {...form.field(name as TextName)}
      label={label}
      isRequired={isRequired}
      isMono={monoNames.includes(name)}
      autoComplete={autoComplete[name] ?? 'off'}
      inputMode={name === 'treaty.rate' ? 'decimal' : 'text'}
      maxLength={140}
    />
  );
}

function isChoice(name: FieldName): name is ChoiceName {
  return name === 'classification' || name === 'citizenship' || name === 'sellerType' || /country$/i.test(name);
}

/** The label of a field: organizations have another one for their name, and optional fields are marked. */
function useLabel(name: FieldName, { kind, isRequired }: { kind: Kind; isRequired: boolean }): string {
  const { t } = useTranslation('portal-tax-form');
  if (name === 'name' && kind === 'w8bene') return t('field.organization');
  const label = t(`field.${name.replace('.', '_') as Key<FieldName>}`);
  return isRequired ? label : t('field.optional', { label });
}

type Key<Name extends string> = Name extends `${infer Group}.${infer Part}` ? `${Group}_${Part}` : Name;

type ChoiceProps = { name: ChoiceName; label: string; isRequired: boolean; form: FormState<Values> };

function Choice({ name, label, isRequired, form }: ChoiceProps) {
  const { t } = useTranslation('portal-tax-form');
  const countries = useCountries();
  const options =
    name === 'classification'
      ? classifications.map((value) => ({ value: value as string, label: t(`classification.${value}`) }))
      : name === 'sellerType'
        ? sellerTypes.map((value) => ({ value: value as string, label: t(`sellerType.${value}`) }))
        : name === 'tinCountry'
          ? countries.filter(({ value }) => memberStates.has(value))
          : countries;
  return <NativeSelect {...form.field(name)} label={label} options={options} placeholder={t('field.choose')} isRequired={isRequired} />;
}
