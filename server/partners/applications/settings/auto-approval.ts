// Which applications are approved without a review. Pure: the rules, the facts of an application, and the reason that is
// stored with the approval. Every condition of a rule must hold, so adding one never approves more.
import { z } from 'zod';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { isDisposable } from '../../../platform/lib/network/disposable-domains.ts';
import type { Question } from './question.ts';

const domain = z
  .string()
  .transform((text) => text.trim().toLowerCase().replace(/^@/, ''))
  .refine((text) => emailKey(`a@${text}`) === `a@${text}`, { error: 'must be a domain such as example.com' })
  .meta({ json: { type: 'string', maxLength: 253 } });

const AnswerCondition = z.object({
  questionId: z.string().max(40).describe('A question of kind `choice`.'),
  options: z.array(z.string().max(100)).min(1, 'must have at least one option').max(20).describe('The answers that qualify.'),
});

const mode = z
  .enum(['none', 'matching', 'all'])
  .describe(
    '`none`: every application is reviewed. `matching`: applications that meet every condition below are approved. `all`: every ' +
      'application with a confirmed email address is approved.',
  );

export const AutoApproval = z.object({
  mode,
  emailDomains: z.array(domain).max(50).default([]).describe('The address has one of these domains. Subdomains are other domains.'),
  answers: z.array(AnswerCondition).max(12).default([]).describe('Each of these questions has one of these answers.'),
});
export type AutoApproval = z.output<typeof AutoApproval>;

export const noAutoApproval: AutoApproval = { mode: 'none', emailDomains: [], answers: [] };

export const AutoApprovalShape = z
  .object({
    mode,
    emailDomains: z.array(z.string()),
    answers: z
      .array(z.object({ questionId: z.string(), options: z.array(z.string()).describe('The answers that meet the condition.') }))
      .describe('Each of these questions must have one of these answers.'),
  })
  .meta({ id: 'AutoApproval', example: noAutoApproval });

/** Why an application was approved automatically. */
export const ApprovalReason = z
  .object({
    rule: z.enum(['all', 'matching']).describe('Whether all applications are approved, or those that meet the conditions.'),
    emailDomain: z.string().nullable(),
    answers: z.array(z.object({ question: z.string(), answer: z.string() })).describe('The answers that met the conditions.'),
  })
  .meta({ id: 'AutoApprovalReason', example: { rule: 'matching', emailDomain: 'example.com', answers: [] } });
export type ApprovalReason = z.output<typeof ApprovalReason>;

type Fault = { path: string[]; message: string };

/** What is wrong with the rules, given the questions of the form. */
export function findRuleFaults({ mode, emailDomains, answers }: AutoApproval, questions: readonly Question[]): Fault[] {
  const faults = answers.flatMap(({ questionId, options }, index): Fault[] => {
    const path = ['autoApproval', 'answers', String(index)];
    const question = questions.find(({ id, kind }) => id === questionId && kind === 'choice');
    if (!question) return [{ path: [...path, 'questionId'], message: 'must be a question of the form with the kind `choice`' }];
    const isKnown = options.every((option) => question.options.includes(option));
    return isKnown ? [] : [{ path: [...path, 'options'], message: 'must be options of the question' }];
  });
  const isEmpty = mode === 'matching' && emailDomains.length === 0 && answers.length === 0;
  return isEmpty ? [{ path: ['autoApproval'], message: 'must have a condition when `mode` is `matching`' }, ...faults] : faults;
}

export type Applicant = { emailKey: string; answers: readonly { questionId: string; question: string; answer: string }[] };

/** The reason to approve an application automatically; null if it must be reviewed. Addresses that expire always are. */
export function findApprovalReason({ mode, emailDomains, answers }: AutoApproval, applicant: Applicant): ApprovalReason | null {
  const domainOfApplicant = applicant.emailKey.slice(applicant.emailKey.lastIndexOf('@') + 1);
  if (mode === 'none' || isDisposable(domainOfApplicant)) return null;
  if (mode === 'all') return { rule: 'all', emailDomain: null, answers: [] };
  if (emailDomains.length === 0 && answers.length === 0) return null;
  if (emailDomains.length > 0 && !emailDomains.includes(domainOfApplicant)) return null;
  const matched = answers.map(({ questionId, options }) =>
    applicant.answers.find((given) => given.questionId === questionId && options.includes(given.answer)),
  );
  if (matched.includes(undefined)) return null;
  return {
    rule: 'matching',
    emailDomain: emailDomains.length > 0 ? domainOfApplicant : null,
    answers: matched.flatMap((given) => (given ? [{ question: given.question, answer: given.answer }] : [])),
  };
}
