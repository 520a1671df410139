// Affiliates that can be paid, and a rail to pay them by.
import assert from 'node:assert/strict';
import { anAffiliate } from './builders.ts';
import type { TestProgram, TestService } from './harness.ts';
import { externalSecret, startExternalRail } from './rails/external.ts';

/** An active affiliate with an account at the outside rail. */
export async function aPayee(service: TestService, program: TestProgram = service.program) {
  const affiliate = await anAffiliate(service, { status: 'active' }, program);
  const path = `${program.path}/affiliates/${affiliate.id}/payout-details`;
  const set = await service.request('POST', path, { body: { method: 'external', account: `acct-${affiliate.id}` }, key: program.key });
  assert.equal(set.status, 201, set.text);
  return affiliate;
}

/** A provider of the type external_webhook that reaches `url`. Returns its id. */
export async function anExternalProvider(service: TestService, url: string, program: TestProgram = service.program): Promise<string> {
  const body = { type: 'external_webhook', name: 'Our bank', config: { url }, secrets: { signingSecret: externalSecret } };
  const created = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

/** A simulated rail that lives by the clock of the test. */
export function aRail(service: TestService, options: Parameters<typeof startExternalRail>[0] = {}) {
  return startExternalRail({ now: () => service.clock.now(), ...options });
}
