// The fields of a connection's settings. A secret that is set keeps its value while its field is empty.
import { useTranslation } from 'react-i18next';
import { TextArea, TextInput } from '../../../ui/form/fields.tsx';
import type { FormState } from '../../../ui/form/form.tsx';
import type { Provider, Setting } from './catalogue.ts';
import type { SettingValues } from './setting-values.ts';

type Props = {
  settings: readonly Setting[];
  form: FormState<SettingValues>;
  /** The provider that is edited; null for a new one. */
  provider: Provider | null;
};

export function SettingFields({ settings, form, provider }: Props) {
  const { t } = useTranslation('connections');
  return settings.map(({ name, part, isRequired = false, placeholder, lines }) => {
    const isSet = part === 'secrets' && (provider?.configuredSecrets ?? []).includes(name);
    const example = placeholder === undefined ? {} : { placeholder };
    const common = Object.assign({ label: t(`setting.${name}`), help: t(isSet ? 'secretSet' : `help.${name}`) }, form.field(name), example);
    if (lines !== undefined) return <TextArea key={name} {...common} rows={lines} />;
    const hidden = part === 'secrets' ? ({ type: 'password', autoComplete: 'new-password' } as const) : {};
    return <TextInput key={name} {...common} {...hidden} isMono isRequired={isRequired && !isSet} />;
  });
}
