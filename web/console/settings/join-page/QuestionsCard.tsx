// The questions of the join form, in their order. Each is moved with buttons, so that nothing needs a pointer.
import { useTranslation } from 'react-i18next';
import { newIdempotencyKey } from '../../../api/call.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextArea, TextInput } from '../../../ui/form/fields.tsx';
import { FieldRow } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import styles from './join-page.module.css';
import { maxQuestions, moveQuestion, newQuestion, type Part, type QuestionValues, questionKinds } from './join-values.ts';

type Errors = { errors: Readonly<Record<string, string>> };

export function QuestionsCard({ form, errors }: Part & Errors) {
  const { t } = useTranslation('join');
  const { questions } = form.values;
  const set = (next: readonly QuestionValues[]) => form.setValues({ questions: next });
  // The question is named by its number until the label is written; the id only has to be unique.
  const add = () => set([...questions, newQuestion(`q${newIdempotencyKey().slice(0, 8)}`)]);
  return (
    <Card title={t('questions.title')} detail={t('questions.count', { count: questions.length, max: maxQuestions })}>
      <Text>{questions.length === 0 ? t('questions.none') : t('questions.about')}</Text>
      <ol className={styles.questions}>
        {questions.map((question, index) => (
          <Question
            key={question.id}
            question={question}
            index={index}
            isLast={index === questions.length - 1}
            errors={errors}
            onChange={(changed) => set(questions.map((each) => (each.id === question.id ? { ...each, ...changed } : each)))}
            onMove={(by) => set(moveQuestion(questions, index, index + by))}
            onRemove={() => set(questions.filter(({ id }) => id !== question.id))}
          />
        ))}
      </ol>
      {questions.length >= maxQuestions ? null : (
        <Button icon="plus" onClick={add}>
          {t('questions.add')}
        </Button>
      )}
    </Card>
  );
}

type Props = Errors & {
  question: QuestionValues;
  index: number;
  isLast: boolean;
  onChange: (changed: Partial<QuestionValues>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

function Question({ question, index, isLast, errors, onChange, onMove, onRemove }: Props) {
  const { t } = useTranslation('join');
  const { kind, label, help, isRequired, options } = question;
  const number = index + 1;
  const errorAt = (field: keyof QuestionValues) => errors[`questions.${index}.${field}`];
  const kinds = questionKinds.map((value) => ({ value, label: t(`questions.kinds.${value}`) }));
  return (
    <li className={styles.question}>
      <div className={styles.questionHead}>
        <h3>{t('questions.labelOf', { number })}</h3>
        <IconButton icon="arrowUp" size="small" label={t('questions.up', { number })} disabled={index === 0} onClick={() => onMove(-1)} />
        <IconButton icon="arrowDown" size="small" label={t('questions.down', { number })} disabled={isLast} onClick={() => onMove(1)} />
        <IconButton icon="trash" size="small" label={t('questions.remove', { number })} onClick={onRemove} />
      </div>
      <TextInput
        label={t('questions.label')}
        value={label}
        onChange={(text) => onChange({ label: text })}
        error={errorAt('label')}
        maxLength={200}
        isRequired
      />
      <FieldRow>
        <Select
          label={t('questions.kind')}
          options={kinds}
          value={kind}
          onChange={(next) => onChange({ kind: next })}
          error={errorAt('kind')}
        />
        <TextInput
          label={t('questions.help')}
          value={help}
          onChange={(text) => onChange({ help: text })}
          error={errorAt('help')}
          maxLength={300}
        />
      </FieldRow>
      {kind === 'choice' ? (
        <TextArea
          label={t('questions.options')}
          help={t('questions.optionsHelp')}
          value={options}
          onChange={(text) => onChange({ options: text })}
          error={errorAt('options')}
          rows={3}
        />
      ) : null}
      <Switch label={t('questions.required')} value={isRequired} onChange={(next) => onChange({ isRequired: next })} />
    </li>
  );
}
