// The fields of a resource. Its kind is chosen once.
import { useTranslation } from 'react-i18next';
import { TextArea, TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, type FormState } from '../../ui/form/form.tsx';
import { WholeNumberInput } from '../../ui/form/numbers.tsx';
import { MultiSelect, Select } from '../../ui/form/select.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { useGroups } from '../affiliates/use-groups.ts';
import { FileField } from './FileField.tsx';
import { kinds, languages, placeholders, type Resource, type ResourceValues } from './resource-values.ts';
import styles from './resources.module.css';
import { TextPreview } from './TextPreview.tsx';
import { useLanguageName } from './use-columns.tsx';

type Props = { form: FormState<ResourceValues>; stored: Resource | null };

export function ResourceFields({ form, stored }: Props) {
  const { t } = useTranslation('resources');
  const { kind, text } = form.values;
  return (
    <>
      {stored === null ? (
        <Segments
          label={t('column.kind')}
          tabs={kinds.map((id) => ({ id, label: t(`kind.${id}`) }))}
          value={kind}
          onChange={(next) => form.setValues({ kind: next, file: null })}
        />
      ) : null}
      <TextInput {...form.field('title')} label={t('field.title')} help={t('help.title')} maxLength={100} hasAutoFocus isRequired />
      <TextArea {...form.field('description')} label={t('field.description')} help={t('help.description')} maxLength={1000} rows={2} />
      {kind === 'text' ? (
        <>
          <TextArea {...form.field('text')} label={t('field.text')} help={t('help.text')} maxLength={5000} rows={6} isRequired />
          <Placeholders onInsert={(placeholder) => form.setValues({ text: text + placeholder })} />
          <TextPreview text={text} />
        </>
      ) : (
        <FileField {...form.field('file')} label={t(`field.${kind}`)} kind={kind} stored={stored?.file?.name ?? null} />
      )}
      <Audience form={form} />
    </>
  );
}

function Placeholders({ onInsert }: { onInsert: (placeholder: string) => void }) {
  const { t } = useTranslation('resources');
  return (
    <fieldset className={styles.placeholders}>
      <legend>{t('placeholders')}</legend>
      {placeholders.map((name) => (
        <button key={name} type="button" className={styles.placeholder} onClick={() => onInsert(`{${name}}`)}>
          <code>{`{${name}}`}</code>
          <span>{t(`placeholder.${name}`)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Audience({ form }: Pick<Props, 'form'>) {
  const { t } = useTranslation('resources');
  const groups = useGroups().data?.groups ?? [];
  const nameOf = useLanguageName();
  const { language } = form.values;
  const offered = language === null || languages.some((one) => one === language) ? languages : [...languages, language];
  return (
    <>
      <MultiSelect
        {...form.field('groupIds')}
        label={t('field.groups')}
        help={t('help.groups')}
        placeholder={t('everyone')}
        options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FieldRow>
        <Select
          {...form.field('language')}
          label={t('field.language')}
          placeholder={t('noLanguage')}
          options={offered.map((value) => ({ value, label: nameOf(value) }))}
          canClear
        />
        <WholeNumberInput {...form.field('position')} label={t('field.position')} help={t('help.position')} placeholder="0" />
      </FieldRow>
    </>
  );
}
