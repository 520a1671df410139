// A question of the join form, and how an answer to it is checked. The same declaration validates the settings of the form
// and the answers that the public page receives.
import { z } from 'zod';
import { line, optionalLine } from '../../../platform/http/declaration/fields.ts';

export const QuestionKind = z.enum(['short_text', 'long_text', 'choice', 'url']).meta({ id: 'JoinQuestionKind' });

export const maxQuestions = 12;
const maxOptions = 20;

const questionId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be 1 to 40 characters of a-z, 0-9, _ and -, starting with a letter or digit')
  .describe('Chosen by the caller and unique in the form, such as `website`. Answers and rules refer to it.');

export const Question = z.object({
  id: questionId,
  kind: QuestionKind,
  label: line(200).describe('The question.'),
  help: optionalLine(300)
    .nullish()
    .transform((text) => text || null)
    .describe('A line below the question.'),
  isRequired: z.boolean().default(false),
  options: z
    .array(line(100))
    .max(maxOptions, `must not have more than ${maxOptions} options`)
    .default([])
    .describe('The answers to choose from; only for `choice`, at least two.'),
});
export type Question = z.output<typeof Question>;

export const QuestionShape = z
  .object({
    id: z.string(),
    kind: QuestionKind,
    label: z.string().describe('The question.'),
    help: z.string().nullable(),
    isRequired: z.boolean(),
    options: z.array(z.string()),
  })
  .meta({
    id: 'JoinQuestion',
    example: {
      id: 'website',
      kind: 'url' as const,
      label: 'Where would you recommend us?',
      help: 'Your website, channel or profile.',
      isRequired: true,
      options: [],
    },
  });

type Fault = { path: string[]; message: string };

/** What is wrong with the questions of a form, beyond their fields. */
export function findFaults(questions: readonly Question[]): Fault[] {
  return questions.flatMap((question, index) => {
    const at = (field: string, message: string): Fault => ({ path: ['questions', String(index), field], message });
    const { id, kind, options } = question;
    const isRepeated = questions.findIndex((each) => each.id === id) < index;
    const hasOptions = kind === 'choice';
    return [
      ...(isRepeated ? [at('id', 'must be unique in the form')] : []),
      ...(hasOptions && options.length < 2 ? [at('options', 'must have at least two options')] : []),
      ...(hasOptions && new Set(options).size < options.length ? [at('options', 'must not contain an option twice')] : []),
      ...(!hasOptions && options.length > 0 ? [at('options', 'is only allowed when `kind` is `choice`')] : []),
    ];
  });
}
