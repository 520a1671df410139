// Rows and valid requests of an affiliate in the portal.
import assert from 'node:assert/strict';
import { anAffiliate } from '../builders.ts';
import type { TestProgram, TestService } from '../harness.ts';

export type PortalIds = { earning: string; link: string; referralCode: string };
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined, query?: string];

/** An affiliate with this address, with an earning and a named link. */
export async function portalRows(service: TestService, email: string, program: TestProgram = service.program): Promise<PortalIds> {
  const { id, referralCode } = await anAffiliate(service, { email, status: 'active' }, program);
  const user = await service.asAffiliate({ id, email }, program);
  const bonus = { affiliateId: id, amountCents: 500, note: 'Welcome' };
  const granted = await service.request('POST', `${program.path}/commissions`, { body: bonus, key: program.key });
  assert.equal(granted.status, 201, granted.text);
  const link = await user.request('POST', `/app/portal/${program.programId}/links`, { body: { name: 'Newsletter' } });
  assert.equal(link.status, 201, link.text);
  return { earning: granted.body.id, link: link.body.id, referralCode };
}

/** The rows by the part of the path that names them. */
export function portalRowsByNoun({ earning, link }: PortalIds): Record<string, string> {
  return { earnings: earning, links: link };
}

export function portalSamples(serial: number, { earning, link, referralCode }: PortalIds): Record<string, Sample> {
  return {
    'portal.account': [{}, undefined],
    'portal.updateAccount': [{}, { firstName: 'Ada' }],
    'portal.home': [{}, undefined],
    'portal.links': [{}, undefined],
    'portal.createLink': [{}, { name: `Channel ${serial}` }],
    'portal.deleteLink': [{ id: link }, undefined],
    'portal.slugCheck': [{}, undefined, '?slug=ada'],
    'portal.setSlug': [{}, { vanitySlug: `own-${serial}` }],
    'portal.qr': [{}, undefined],
    'portal.earnings': [{}, undefined],
    'portal.earning': [{ commissionId: earning }, undefined],
    'portal.claims': [{}, undefined],
    'portal.createClaim': [{}, { orderId: `claimed-${serial}` }],
    'portal.rates': [{}, undefined],
    'portal.leave': [{}, { referralCode }],
  };
}
