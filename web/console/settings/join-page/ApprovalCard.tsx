// Which applications are approved without a review, with a sentence that says what the choice means.
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../../ui/form/fields.tsx';
import { MultiSelect } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import styles from './join-page.module.css';
import { type Mode, optionsOf, type Part } from './join-values.ts';

const modes: readonly Mode[] = ['none', 'matching', 'all'];

export function ApprovalCard({ form, errors }: Part & { errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('join');
  const { mode } = form.values;
  // The rule as a whole, such as one without a condition.
  const error = form.errors.autoApproval;
  return (
    <Card title={t('approval.title')}>
      <Stack gap={16}>
        <Segments
          label={t('approval.mode')}
          tabs={modes.map((id) => ({ id, label: t(`approval.modes.${id}`) }))}
          value={mode}
          onChange={(next) => form.setValues({ mode: next })}
        />
        <Text tone="ink">{t(`approval.about.${mode}`)}</Text>
        {mode === 'matching' ? <Conditions form={form} errors={errors} /> : null}
        {error === undefined || Object.keys(errors).some((path) => path.startsWith('autoApproval.')) ? null : (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
        {mode === 'none' ? null : <Text size="small">{t('approval.always')}</Text>}
      </Stack>
    </Card>
  );
}

function Conditions({ form, errors }: Part & { errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('join');
  const { questions, answers } = form.values;
  const choices = questions.filter(({ kind }) => kind === 'choice');
  const errorOf = (prefix: string) => Object.entries(errors).find(([path]) => path.startsWith(prefix))?.[1];
  return (
    <>
      <TextInput
        {...form.field('emailDomains')}
        label={t('approval.domains')}
        help={t('approval.domainsHelp')}
        error={errorOf('autoApproval.emailDomains')}
        isMono
      />
      {choices.length === 0 ? <Text size="small">{t('approval.noChoices')}</Text> : null}
      {choices.map((question) => (
        <MultiSelect
          key={question.id}
          label={t('approval.answers', { question: question.label })}
          placeholder={t('approval.anyAnswer')}
          options={[...new Set(optionsOf(question))].map((option) => ({ value: option, label: option }))}
          value={(answers[question.id] ?? []).filter((option) => optionsOf(question).includes(option))}
          onChange={(next) => form.setValues({ answers: { ...answers, [question.id]: next } })}
        />
      ))}
    </>
  );
}
