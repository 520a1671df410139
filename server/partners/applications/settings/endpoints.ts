// Reading and changing the join form of a program. The public page changes immediately, and every change has an audit entry.

import { z } from 'zod';
import { lockPrograms } from '../../../accounts/programs/lock-program.ts';
import type { Context, Tx } from '../../../context.ts';
import { difference } from '../../../platform/audit/difference.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, paragraph, timestampOut } from '../../../platform/http/declaration/fields.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { AutoApproval, AutoApprovalShape, findRuleFaults, noAutoApproval } from './auto-approval.ts';
import { addTerms, type JoinForm, joinUrl, readJoinForm, writeJoinForm } from './join-form.ts';
import { findFaults, maxQuestions, Question, QuestionShape } from './question.ts';

const Shape = z
  .object({
    url: z.string().describe('The address of the join page.'),
    isOpen: z.boolean(),
    intro: z.string().nullable(),
    questions: z.array(QuestionShape),
    terms: z.string().nullable(),
    termsVersion: countOut.nullable().describe('Increases with every change of the terms. Earlier versions are kept.'),
    termsChangedAt: timestampOut.nullable(),
    autoApproval: AutoApprovalShape,
  })
  .meta({
    id: 'JoinForm',
    example: {
      url: 'https://tributary.example/join/fern-field',
      isOpen: true,
      intro: 'Recommend what helped you, and earn a commission.',
      questions: [{ id: 'website', kind: 'url', label: 'Your website', help: null, isRequired: true, options: [] }],
      terms: 'Disclose that you earn a commission.',
      termsVersion: 3,
      termsChangedAt: '2026-11-02T09:12:44.000Z',
      autoApproval: noAutoApproval,
    },
  });

const Body = z
  .object({
    isOpen: z.boolean().describe('Whether the join page accepts applications.'),
    intro: paragraph(2000).nullable().describe('Shown at the top of the join page.'),
    questions: z.array(Question).max(maxQuestions, `must not have more than ${maxQuestions} questions`).describe('In their order.'),
    terms: paragraph(20_000).nullable().describe('Applicants must accept them. A changed text is a new version; `null` removes them.'),
    autoApproval: AutoApproval,
  })
  .partial()
  .meta({
    id: 'JoinFormUpdate',
    example: { isOpen: true, questions: [{ id: 'website', kind: 'url', label: 'Your website', isRequired: true }] },
  });

const fields = { requires: 'settings.write', isUserOnly: true, tag: 'Program', statuses: [200] as const, result: Shape } as const;

export const getJoinForm = endpoint({
  id: 'joinForm.get',
  route: 'GET /app/programs/:programId/join-form',
  scope: 'read',
  summary: 'Get the join form',
  ...fields,
  handle: async (ctx, { actor: { programId } }) => toShape(ctx, programId, await readJoinForm(ctx, programId)),
});

export const updateJoinForm = endpoint({
  id: 'joinForm.update',
  route: 'PATCH /app/programs/:programId/join-form',
  scope: 'write',
  summary: 'Update the join form',
  description: 'Omitted fields keep their value. The join page changes immediately; answers that were given stay as they are.',
  bodyLimitBytes: 256 * 1024,
  body: Body,
  ...fields,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    // Changes of one program wait for each other, even before it has a row.
    await lockPrograms(tx, [programId]);
    const present = await readJoinForm(tx, programId);
    const change = difference(toFields(present), { ...body, intro: orNull(body.intro), terms: orNull(body.terms) });
    if (!change) return toShape(tx, programId, present);
    const { terms: text, ...after } = change.after;
    const form: JoinForm = { ...present, ...after };
    const faults = [...findFaults(form.questions), ...findRuleFaults(form.autoApproval, form.questions)];
    if (faults.length > 0) throw new Invalid(faults);
    const terms = text === undefined ? present.terms : text === null ? null : await addTerms(tx, programId, text);
    const written = { ...form, terms };
    await writeJoinForm(tx, programId, written);
    const audited = { before: withVersion(change.before, present), after: withVersion(change.after, written) };
    await recordChange(tx, { programId, actor, action: 'join_form.updated', subjectId: programId, ...audited });
    return toShape(tx, programId, written);
  },
});

const orNull = (text: string | null | undefined) => (text === '' ? null : text);

type Fields = Omit<JoinForm, 'terms'> & { terms: string | null };

function toFields({ terms, ...form }: JoinForm): Fields {
  return { ...form, terms: terms?.text ?? null };
}

/** The text of each version is kept with the terms; the audit log refers to it. */
function withVersion({ terms, ...fields }: Partial<Fields>, form: JoinForm): Record<string, unknown> {
  return terms === undefined ? fields : { ...fields, termsVersion: form.terms?.version ?? null };
}

async function toShape(ctx: Pick<Context, 'db' | 'config'> | Tx, programId: string, { terms, ...form }: JoinForm) {
  const { slug } = await ctx.db.selectFrom('programs').select('slug').where('id', '=', programId).executeTakeFirstOrThrow();
  return {
    ...form,
    url: joinUrl(ctx, slug),
    terms: terms?.text ?? null,
    termsVersion: terms?.version ?? null,
    termsChangedAt: terms?.createdAt.toISOString() ?? null,
  };
}
