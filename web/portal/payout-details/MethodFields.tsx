// The fields of a payout method; those of a bank account depend on its country.
import { useTranslation } from 'react-i18next';
import { useCountries } from '../../ui/form/countries.ts';
import { TextInput } from '../../ui/form/fields.tsx';
import type { FormState } from '../../ui/form/form.tsx';
import { NativeSelect } from '../../ui/form/native-select.tsx';
import { type AccountField, accountFields, type Method, type Values } from './destination.ts';
import { hasIban } from './iban.ts';

type Props = { form: FormState<Values>; needsAddress: boolean };

export function MethodFields({ method, form, needsAddress }: Props & { method: Method }) {
  const { t } = useTranslation('portal-payout-details');
  if (method === 'bank') return <BankFields form={form} needsAddress={needsAddress} />;
  if (method === 'paypal')
    return (
      <TextInput
        {...form.field('email')}
        label={t('field.email')}
        help={t('field.emailHelp')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={127}
        hasAutoFocus
        isRequired
      />
    );
  const name = ({ stripe: 'accountId', wise: 'recipientId', external: 'account' } as const)[method];
  return <TextInput {...form.field(name)} label={t(`field.${name}`)} help={t(`field.${name}Help`)} isMono hasAutoFocus isRequired />;
}

function BankFields({ form, needsAddress }: Props) {
  const { t } = useTranslation('portal-payout-details');
  const countries = useCountries();
  const { country } = form.values;
  return (
    <>
      <NativeSelect {...form.field('country')} label={t('field.country')} options={countries} placeholder={t('field.choose')} isRequired />
      <TextInput
        {...form.field('holder')}
        label={t('field.holder')}
        help={t('field.holderHelp')}
        autoComplete="name"
        maxLength={140}
        isRequired
      />
      {country === null ? null : hasIban(country) ? (
        <TextInput {...form.field('iban')} label={t('field.iban')} isMono maxLength={42} isRequired />
      ) : (
        accountFields(country, needsAddress).map((name) => <Field key={name} name={name} form={form} />)
      )}
      {country === null || country === 'US' || country === 'GB' ? null : (
        <TextInput {...form.field('bic')} label={t('field.bic')} help={t('field.bicHelp')} isMono maxLength={11} />
      )}
      <TextInput {...form.field('currency')} label={t('field.currency')} help={t('field.currencyHelp')} isMono maxLength={3} isRequired />
    </>
  );
}

function Field({ name, form }: { name: AccountField; form: FormState<Values> }) {
  const { t } = useTranslation('portal-payout-details');
  if (name === 'fields.accountType')
    return (
      <NativeSelect
        {...form.field(name)}
        label={t('field.accountType')}
        options={[
          { value: 'checking', label: t('field.checking') },
          { value: 'savings', label: t('field.savings') },
        ]}
        placeholder={t('field.choose')}
      />
    );
  const key = name.replace('fields.', '') as 'routingNumber';
  const isNumber = !name.startsWith('fields.address');
  return <TextInput {...form.field(name)} label={t(`field.${key}`)} isMono={isNumber} maxLength={140} isRequired />;
}
