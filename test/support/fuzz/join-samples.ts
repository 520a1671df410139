// Valid requests for the join form and its applications.
import { recordApplication } from '../../../server/partners/applications/record.ts';
import { insertApplication } from '../../../server/partners/applications/submit.ts';
import { transact } from '../../../server/platform/db/transact.ts';
import type { TestProgram, TestService } from '../harness.ts';

type JoinIds = { application: string };

/** A confirmed application to a program. */
export async function joinRows(service: TestService, { programId }: TestProgram): Promise<JoinIds> {
  const form = { email: `a-${programId.slice(-8)}@example.com`, firstName: 'Ada', lastName: 'L', answers: [], termsVersion: null };
  const application = await transact(service.ctx, async (tx) => {
    const id = await insertApplication(tx, { programId, form, locale: 'en' });
    const applications = tx.db.selectFrom('applications').selectAll().where('programId', '=', programId);
    const row = await applications.where('id', '=', id).executeTakeFirstOrThrow();
    await recordApplication(tx, { application: row, actor: { kind: 'command', id: 'test' }, userId: null });
    return id;
  });
  return { application };
}

/** The same rows, by the part of the path that names them. */
export function joinRowsByNoun({ application }: JoinIds): Record<string, string> {
  return { applications: application };
}

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

export function joinSamples(serial: number, { application }: JoinIds): Record<string, Sample> {
  const questions = [{ id: 'site', kind: 'url', label: 'Your website', isRequired: true }];
  return {
    'joinForm.get': [{}, undefined],
    'joinForm.update': [{}, { isOpen: true, terms: `Terms ${serial}`, questions }],
    'applications.list': [{}, undefined],
    'applications.get': [{ id: application }, undefined],
  };
}
