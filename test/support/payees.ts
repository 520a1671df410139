// Affiliates that can be paid, and a payout provider for them.
import assert from 'node:assert/strict';
import { checkInvariants } from '../../server/operations/verify/invariants.ts';
import { anAffiliate, aRule } from './builders.ts';
import type { TestProgram, TestService } from './harness.ts';
import { externalSecret, startExternalRail } from './rails/external.ts';

/** Creates an active affiliate with an account at the external provider. */
export async function aPayee(service: TestService, program: TestProgram = service.program) {
  const affiliate = await anAffiliate(service, { status: 'active' }, program);
  const path = `${program.path}/affiliates/${affiliate.id}/payout-details`;
  const set = await service.request('POST', path, { body: { method: 'external', account: `acct-${affiliate.id}` }, key: program.key });
  assert.equal(set.status, 201, set.text);
  return affiliate;
}

/** Creates a provider of the type external_webhook that calls `url`. Returns its id. */
export async function anExternalProvider(service: TestService, url: string, program: TestProgram = service.program): Promise<string> {
  const body = { type: 'external_webhook', name: 'Our bank', config: { url }, secrets: { signingSecret: externalSecret } };
  const created = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

/** Starts a simulated provider that uses the clock of the test. */
export function aRail(service: TestService, options: Parameters<typeof startExternalRail>[0] = {}) {
  return startExternalRail({ now: () => service.clock.now(), ...options });
}

export type Sender = {
  program: TestProgram;
  rail: Awaited<ReturnType<typeof aRail>>;
  providerId: string;
  /** An affiliate that can be paid. */
  ada: { id: string };
  send(method: string, path: string, body?: object): ReturnType<TestService['request']>;
};

/** Creates a program that pays 10 % through its own provider. */
export async function aSender(service: TestService, options: Parameters<typeof startExternalRail>[0] = {}): Promise<Sender> {
  const program = await service.newProgram(`Sender ${Math.random()}`);
  const rail = await aRail(service, options);
  const providerId = await anExternalProvider(service, rail.url, program);
  await aRule(service, { rate: 10 }, program);
  const send: Sender['send'] = (method, path, body) => service.request(method, `${program.path}/${path}`, { key: program.key, body });
  return { program, rail, providerId, ada: await aPayee(service, program), send };
}

/** Closes the provider and checks every invariant. */
export async function closeSender(service: TestService, { rail }: Pick<Sender, 'rail'>): Promise<void> {
  await rail.close();
  const broken = (await checkInvariants(service.ctx)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
}
