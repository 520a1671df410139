// The join form of the demo, and the applications that await a decision. Their addresses count as confirmed.
import type { Tx } from '../../../context.ts';
import { recordApplication } from '../../../partners/applications/record.ts';
import { noAutoApproval } from '../../../partners/applications/settings/auto-approval.ts';
import { addTerms, writeJoinForm } from '../../../partners/applications/settings/join-form.ts';
import { insertApplication } from '../../../partners/applications/submit.ts';
import { applicationAnswers, joinForm } from './join-form.ts';

const actor = { kind: 'command' as const, id: 'demo' };

/** Opens the join page. */
export async function seedJoinForm(tx: Tx, programId: string): Promise<void> {
  const { intro, questions, terms } = joinForm;
  await writeJoinForm(tx, programId, {
    isOpen: true,
    intro,
    questions,
    autoApproval: noAutoApproval,
    terms: await addTerms(tx, programId, terms),
  });
}

type Applicant = { firstName: string; lastName: string; email: string };

/** Sends the application with these answers. */
export async function seedApplication(tx: Tx, programId: string, applicant: Applicant, index: number): Promise<void> {
  // The addresses are invented: no email is sent to them.
  const silentTx: Tx = { ...tx, mailer: null };
  const answers = joinForm.questions.flatMap(({ id: questionId, kind, label: question }) => {
    const answer = applicationAnswers[index % applicationAnswers.length]?.[questionId];
    return answer === undefined ? [] : [{ questionId, kind, question, answer }];
  });
  const id = await insertApplication(silentTx, { programId, form: { ...applicant, answers, termsVersion: 1 }, locale: 'en' });
  const stored = tx.db.selectFrom('applications').selectAll().where('programId', '=', programId).where('id', '=', id);
  await recordApplication(silentTx, { application: await stored.executeTakeFirstOrThrow(), actor, userId: null });
}
