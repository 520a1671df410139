// Testing the connection to a provider: sends no payout and changes nothing at the provider.

import { z } from 'zod';
import type { Context } from '../../context.ts';
import { transact } from '../../platform/db/transact.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../platform/http/declaration/fields.ts';
import { startDeadline } from '../../platform/lib/concurrency/deadline.ts';
import { type Http, HttpFailure } from '../../platform/lib/http.ts';
import type { StoreSettings, StoreType } from '../stores/store.ts';
import { recordProblem } from './needs-attention.ts';
import { providerPermissions, requireProviderPermission } from './permission.ts';
import {
  getProvider,
  getUsableProvider,
  openPayoutProvider,
  type Provider,
  ProviderShape,
  providerArchived,
  providerExample,
  providerSlot,
  recordProviderHealth,
  toProvider,
} from './provider.ts';
import { getProviderType } from './provider-types.ts';
import { decryptSecrets, readConfig } from './settings.ts';

const TestCode = z
  .enum(['works', 'events_only', 'missing_secret', 'keys_rejected', 'unexpected_status', 'no_response', 'provider_error'])
  .meta({ id: 'ProviderTestCode' });

type TestResult = { works: boolean; code: z.output<typeof TestCode>; message: string };

const testCode = TestCode.describe(
  '`events_only`: events are accepted, and no API key is set. `missing_secret`: events are rejected until their secret is set. ' +
    '`provider_error`: `message` has the words of the provider.',
);

const ProviderTest = z
  .object({ works: z.boolean(), code: testCode, message: z.string(), testedAt: timestampOut, provider: ProviderShape })
  .meta({
    id: 'ProviderTest',
    example: {
      works: true,
      code: 'works',
      message: 'The store accepts the API keys.',
      testedAt: '2026-11-21T10:00:00.000Z',
      provider: providerExample,
    },
  });

export const testProvider = endpoint({
  id: 'providers.test',
  route: 'POST /v1/programs/:programId/providers/:id/test',
  scope: 'write',
  requires: providerPermissions,
  tag: 'Providers',
  summary: 'Test a provider',
  description: 'Calls the external system and records the outcome: `connected`, or `needs_attention` with `lastError`. No payout is sent.',
  path: { id: providerSlot },
  statuses: [200],
  result: ProviderTest,
  errors: [providerArchived],
  async outside(ctx, { actor, params }) {
    const { programId } = actor;
    const provider = await getUsableProvider(ctx, programId, params.id);
    await requireProviderPermission(ctx, actor, provider.kind);
    const { works, code, message } = await testWithinTime(ctx, provider);
    await (works
      ? recordProviderHealth(ctx, provider, { status: 'connected', lastError: null })
      : transact(ctx, (tx) => recordProblem(tx, provider, message, actor)));
    const tested = await getProvider(ctx, programId, params.id);
    return { works, code, message, testedAt: ctx.clock.now().toISOString(), provider: toProvider(ctx, tested) };
  },
});

/** The duration of every test without an HTTP response: otherwise it would distinguish a closed port from a silent one. */
const noResponseMs = 5000;
const noResponse: TestResult = {
  works: false,
  code: 'no_response',
  message: 'The provider could not be reached: no HTTP response within 5 seconds.',
};

/** One message and one duration for closed ports, timeouts, unknown hosts and other protocols, so that it can't be used as a port scanner. */
async function testWithinTime(ctx: Context, provider: Provider): Promise<TestResult> {
  const deadline = startDeadline(noResponseMs);
  const failures: HttpFailure[] = [];
  const http: Http = (request) =>
    ctx.http({ ...request, timeoutMs: deadline.remainingMs() }).catch((error: unknown) => {
      if (error instanceof HttpFailure) failures.push(error);
      throw error;
    });
  const result = await testByType({ ...ctx, http }, provider);
  if (failures.length === 0) return result;
  ctx.log.info({ err: failures[0], providerId: provider.id }, 'no response from a provider during its test');
  await deadline.pass();
  return noResponse;
}

async function testByType(ctx: Context, provider: Provider): Promise<TestResult> {
  const type = getProviderType(provider.type);
  if (type.kind === 'payout') {
    const { works, message } = await openPayoutProvider(ctx, provider).test();
    return { works, code: works ? 'works' : 'provider_error', message };
  }
  return testStore(type, { config: readConfig(provider), secrets: decryptSecrets(ctx, provider) }, ctx.http);
}

/** Tests the settings of a store without changing anything there. The message contains no secret. */
async function testStore(store: StoreType, settings: StoreSettings, http: Http): Promise<TestResult> {
  if (settings.secrets.webhookSecret === undefined)
    return { works: false, code: 'missing_secret', message: 'The secret that signs events is not set: all events are rejected.' };
  const request = store.buildTestRequest(settings);
  if (!request)
    return { works: true, code: 'events_only', message: 'Events are accepted. API calls were not tested, because no API key is set.' };
  try {
    const { status } = await http(request);
    if (status < 300) return { works: true, code: 'works', message: 'The store accepts the API keys.' };
    if (status === 401 || status === 403)
      return { works: false, code: 'keys_rejected', message: `The store rejected the API keys (${status}).` };
    return { works: false, code: 'unexpected_status', message: `The store responded with status ${status}.` };
  } catch (error) {
    if (error instanceof HttpFailure) return { works: false, code: 'no_response', message: error.message };
    throw error;
  }
}
