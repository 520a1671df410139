// The values of the form of the join page: as the API returns them, as they are edited, and as they are sent. Pure.
import type { Input, Result } from '../../../api/call.ts';
import type { FormState } from '../../../ui/form/form.tsx';

export type JoinForm = Result<'joinForm.get'>;
type Stored = JoinForm['questions'][number];
export type QuestionKind = Stored['kind'];
export type Mode = JoinForm['autoApproval']['mode'];

export type QuestionValues = {
  id: string;
  kind: QuestionKind;
  label: string;
  help: string;
  isRequired: boolean;
  /** One per line. */
  options: string;
};

export type JoinValues = {
  isOpen: boolean;
  intro: string;
  questions: readonly QuestionValues[];
  terms: string;
  mode: Mode;
  /** Separated by commas. */
  emailDomains: string;
  /** The options that qualify, by question; none: any answer. */
  answers: Readonly<Record<string, readonly string[]>>;
};

/** What the cards of the form share. */
export type Part = { form: FormState<JoinValues> };

export const maxQuestions = 12;
export const questionKinds: readonly QuestionKind[] = ['short_text', 'long_text', 'choice', 'url'];

export function toValues({ isOpen, intro, questions, terms, autoApproval }: JoinForm): JoinValues {
  return {
    isOpen,
    intro: intro ?? '',
    questions: questions.map((question) => ({ ...question, help: question.help ?? '', options: question.options.join('\n') })),
    terms: terms ?? '',
    mode: autoApproval.mode,
    emailDomains: autoApproval.emailDomains.join(', '),
    answers: Object.fromEntries(autoApproval.answers.map(({ questionId, options }) => [questionId, options])),
  };
}

/** The options of a choice, without empty lines. */
export function optionsOf({ kind, options }: Pick<QuestionValues, 'kind' | 'options'>): string[] {
  const lines = options.split('\n').map((line) => line.trim());
  return kind === 'choice' ? lines.filter((line) => line !== '') : [];
}

/** What is sent: conditions on options that were removed disappear with them. */
export function toUpdate(values: JoinValues): NonNullable<Input<'joinForm.update'>['body']> {
  const { isOpen, intro, questions, terms, mode, emailDomains, answers } = values;
  const conditions = questions.flatMap((question) => {
    const known = optionsOf(question);
    const options = (answers[question.id] ?? []).filter((option) => known.includes(option));
    return options.length === 0 ? [] : [{ questionId: question.id, options }];
  });
  return {
    isOpen,
    intro,
    terms,
    questions: questions.map((question) => ({ ...question, help: question.help || null, options: optionsOf(question) })),
    autoApproval: {
      mode,
      emailDomains: emailDomains.split(/[\s,;]+/).filter((domain) => domain !== ''),
      answers: conditions,
    },
  };
}

/** A question that nothing was entered for. */
export function newQuestion(id: string): QuestionValues {
  return { id, kind: 'short_text', label: '', help: '', isRequired: false, options: '' };
}

/** The list with one question in another place. */
export function moveQuestion(questions: readonly QuestionValues[], from: number, to: number): readonly QuestionValues[] {
  const moved = questions[from];
  if (moved === undefined || to < 0 || to >= questions.length) return questions;
  return questions.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** Messages of the server at fields of questions, by `questions.0.label`. */
export function nestedErrorsOf(
  details: readonly { path: readonly (string | number)[]; message: string }[],
  toText: (message: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(details.filter(({ path }) => path.length > 1).map(({ path, message }) => [path.join('.'), toText(message)]));
}
