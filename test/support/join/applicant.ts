// An applicant: a browser without scripts that fills in a join form and uses what the email contains.
import assert from 'node:assert/strict';
import type { TestMember, TestProgram, TestService } from '../harness.ts';
import { openVisitor, type VisitedPage, type Visitor } from '../visitor.ts';

export const questions = [
  { id: 'site', kind: 'url', label: 'Where would you recommend us?', isRequired: true },
  { id: 'kind', kind: 'choice', label: 'What describes you best?', isRequired: true, options: ['Clinician', 'Creator'] },
  { id: 'about', kind: 'long_text', label: 'What do you write about?' },
];

/** Opens the join form of a program and returns the path of its page. */
export async function openJoinForm(owner: TestMember, { programId }: TestProgram, settings: object = {}): Promise<string> {
  const body = { isOpen: true, questions, terms: 'Disclose that you earn a commission.', ...settings };
  const { status, body: form, text } = await owner.request('PATCH', `/app/programs/${programId}/join-form`, { body });
  assert.equal(status, 200, text);
  return new URL(form.url).pathname;
}

/** A form without mistakes. */
export function aForm(email: string, fields: Record<string, string> = {}): Record<string, string> {
  const person = { firstName: 'Ada', lastName: 'Lindqvist', email };
  return { ...person, q_site: 'ada.example', q_kind: 'Clinician', q_about: 'Sleep.', termsVersion: '1', acceptTerms: 'yes', ...fields };
}

export type Applicant = { browser: Visitor; email: string; link: string; code: string };

/** Sends the form and reads the email about it. */
export async function apply(service: TestService, path: string, form: Record<string, string>): Promise<Applicant> {
  const browser = openVisitor(service.app);
  const sent = await browser.post(path, form);
  assert.equal(sent.status, 200, sent.text);
  await service.drain();
  const mail = service.mails.findLast(({ to }) => to.toLowerCase() === form.email?.toLowerCase());
  const link = /https?:\/\/\S+?(\/join\/\S+\/confirm\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const code = /^Code: (\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? '';
  return { browser, email: form.email ?? '', link, code };
}

/** Opens the link of the email and sends the application. */
export function confirm({ browser, link }: Applicant): Promise<VisitedPage> {
  return browser.post(link, {});
}
