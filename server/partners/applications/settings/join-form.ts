// The join form of a program: what its join page asks, and the terms that applicants accept. Terms are never changed: a
// new text is a new version, and applications refer to the version that was accepted.
import { z } from 'zod';
import type { Context, Tx } from '../../../context.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { AutoApproval, noAutoApproval } from './auto-approval.ts';
import { Question } from './question.ts';

export type Terms = { version: number; text: string; createdAt: Date };

export type JoinForm = {
  isOpen: boolean;
  intro: string | null;
  questions: Question[];
  autoApproval: AutoApproval;
  terms: Terms | null;
};

type Reading = Pick<Context, 'db'>;

/** The form of a program. A program that never opened one has an empty form, which is closed. */
export async function readJoinForm({ db }: Reading, programId: string): Promise<JoinForm> {
  const row = await db
    .selectFrom('joinForms as form')
    .leftJoin('joinTerms as terms', (join) => join.on('terms.programId', '=', programId).onRef('terms.version', '=', 'form.termsVersion'))
    .select(['form.isOpen', 'form.intro', 'form.questions', 'form.autoApproval', 'terms.version', 'terms.text', 'terms.createdAt'])
    .where('form.programId', '=', programId)
    .executeTakeFirst();
  if (!row) return { isOpen: false, intro: null, questions: [], autoApproval: noAutoApproval, terms: null };
  const { isOpen, intro, version, text, createdAt } = row;
  return {
    isOpen,
    intro,
    questions: z.array(Question).parse(row.questions),
    autoApproval: AutoApproval.parse(row.autoApproval),
    terms: version === null || text === null || createdAt === null ? null : { version, text, createdAt },
  };
}

/** Stores a new version of the terms. The program must be locked. */
export async function addTerms({ db, clock }: Tx, programId: string, text: string): Promise<Terms> {
  const latest = await db
    .selectFrom('joinTerms')
    .select('version')
    .where('programId', '=', programId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  const terms = { version: (latest?.version ?? 0) + 1, text, createdAt: clock.now() };
  await db
    .insertInto('joinTerms')
    .values({ programId, ...terms })
    .execute();
  return terms;
}

/** Writes the form of a program. */
export async function writeJoinForm({ db, clock }: Tx, programId: string, form: JoinForm): Promise<void> {
  const row = {
    isOpen: form.isOpen,
    intro: form.intro,
    questions: JSON.stringify(form.questions),
    autoApproval: JSON.stringify(form.autoApproval),
    termsVersion: form.terms?.version ?? null,
    updatedAt: clock.now(),
  };
  await db
    .insertInto('joinForms')
    .values({ programId, ...row })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet(row))
    .execute();
}

/** The address of the join page of a program. */
export function joinUrl({ config }: Pick<Context, 'config'>, slug: string): string {
  return `${getPublicUrl(config)}/join/${slug}`;
}
