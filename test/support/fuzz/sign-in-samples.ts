// Requests for the endpoints of signing in. Those that need a proof (a link, a code, a passkey) can't succeed with a
// prepared request; they are tested beside their code.
import { randomBytes } from 'node:crypto';
import type { TestService } from '../harness.ts';

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

const rawId = 'c2FtcGxl';
const clientDataJSON = 'e30';
const signed = { clientDataJSON, authenticatorData: rawId, signature: rawId };
const assertion = { id: rawId, rawId, type: 'public-key', response: signed };
const registration = { id: rawId, rawId, type: 'public-key', response: { clientDataJSON, attestationObject: rawId } };

export const signInSamples: Record<string, Sample> = {
  'signIn.create': [{}, { email: 'sample@example.com', next: '/console' }],
  'signIn.enter': [{}, { token: 'A'.repeat(43) }],
  'signIn.enterCode': [{}, { code: '123456' }],
  'embedSessions.create': [{}, { token: `trb_embed_${'A'.repeat(65)}` }],
  'passkeys.signInOptions': [{}, undefined],
  'passkeys.signIn': [{}, { response: assertion }],
  'passkeys.list': [{}, undefined],
  'passkeys.registerOptions': [{}, undefined],
  'passkeys.create': [{}, { response: registration, name: 'Laptop' }],
  'passkeys.update': [{}, { name: 'Laptop' }],
  'passkeys.delete': [{}, undefined],
  'confirm.methods': [{}, undefined],
  'confirm.email': [{}, undefined],
  'confirm.passkeyOptions': [{}, undefined],
  'confirm.create': [{}, { method: 'passkey', response: assertion }],
  'secondFactor.get': [{}, undefined],
  'secondFactor.create': [{}, undefined],
  'secondFactor.confirm': [{}, { code: '123456' }],
  'secondFactor.createRecoveryCodes': [{}, undefined],
  'secondFactor.delete': [{}, { code: '123456' }],
};

/** Endpoints that a prepared request can't complete. */
export const needsProof: ReadonlySet<string> = new Set([
  // The programs of the samples are live.
  'testClock.advance',
  // Owners, who send the samples, may do everything already.
  'accessRequests.create',
  // Without a provider and without DNS.
  'singleSignOn.update',
  'singleSignOnDomains.verify',
  'programDeletion.request',
  'emails.showLink',
  'signIn.enter',
  'embedSessions.create',
  'signIn.enterCode',
  'passkeys.signInOptions',
  'passkeys.signIn',
  'passkeys.registerOptions',
  'passkeys.create',
  'confirm.email',
  'confirm.passkeyOptions',
  'confirm.create',
  'secondFactor.confirm',
  'secondFactor.createRecoveryCodes',
  'secondFactor.delete',
]);

/** A passkey beside the one that every member has, so that it can be removed. */
export async function addPasskey({ ctx: { db, ids, clock } }: TestService, userId: string): Promise<string> {
  const credential = { credentialId: randomBytes(16), publicKey: randomBytes(32), counter: 0, transports: [] };
  const row = { ...credential, id: ids.uuid(), userId, name: 'Another', createdAt: clock.now() };
  return (await db.insertInto('passkeys').values(row).returning('id').executeTakeFirstOrThrow()).id;
}
