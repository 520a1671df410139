// An email whose text the program can edit. The preview follows while typing; the text of each language is a form, so that
// changing the language of the preview loses nothing.
import { useEffect } from 'react';
import { type FormState, useForm } from '../../../ui/form/form.tsx';
import { useUnsaved } from '../../../ui/form/unsaved.ts';
import { useSettled } from '../../../ui/form/use-settled.ts';
import { Preview } from './Preview.tsx';
import { type EmailId, type EmailSetting, type EmailText, type Locale, textOf } from './preview-types.ts';
import { TextCard } from './TextCard.tsx';

const pauseMs = 400;

type Props = {
  email: EmailId;
  locale: Locale;
  onLocale: (locale: Locale) => void;
  setting: EmailSetting;
  version: number;
  onChanged: (hasChanges: boolean) => void;
};

export function EditablePanel({ email, locale, onLocale, setting, version, onChanged }: Props) {
  const forms: Record<Locale, FormState<EmailText>> = { en: useForm(textOf(setting, 'en')), de: useForm(textOf(setting, 'de')) };
  const hasChanges = forms.en.hasChanges || forms.de.hasChanges;
  useUnsaved(hasChanges);
  useEffect(() => onChanged(hasChanges), [hasChanges, onChanged]);
  const form = forms[locale];
  const draft = useSettled(form.hasChanges ? JSON.stringify(form.values) : '', pauseMs);
  return (
    <>
      <TextCard key={locale} setting={setting} locale={locale} form={form} />
      <Preview
        email={email}
        locale={locale}
        onLocale={onLocale}
        draft={form.hasChanges && draft !== '' ? (JSON.parse(draft) as EmailText) : null}
        version={`${version} ${JSON.stringify(textOf(setting, locale))}`}
      />
    </>
  );
}
