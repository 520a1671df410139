// Providers for the fuzz tests, and a valid request to each of their endpoints.
import assert from 'node:assert/strict';
import type { TestProgram, TestService } from '../harness.ts';

export type ProviderIds = { provider: string };
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

/** A connected shop. */
export async function providerSampleRows(service: TestService, program: TestProgram = service.program): Promise<ProviderIds> {
  const body = { type: 'generic', name: 'Shop' };
  const created = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
  assert.equal(created.status, 201, created.text);
  return { provider: created.body.id };
}

/** The same, by the path segment before the id. */
export async function providerRows(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  return { providers: (await providerSampleRows(service, program)).provider };
}

/** A valid request to each endpoint. */
export function providerSamples(serial: number, { provider }: ProviderIds): Record<string, Sample> {
  const settings = { config: { apiUrl: 'https://stripe.example' }, secrets: { webhookSecret: `whsec_sample_${serial}` } };
  return {
    'providers.create': [{}, { type: 'stripe', name: `P${serial}`, mode: 'test', currencies: ['USD'], isDefault: false, ...settings }],
    'providers.get': [{ id: provider }, undefined],
    'providers.update': [
      { id: provider },
      { name: `Q${serial}`, status: 'connected', mode: 'live', currencies: ['EUR'], isDefault: false },
    ],
    'providers.coverage': [{ id: provider }, undefined],
    'providers.sync': [{ id: provider }, undefined],
    'providers.test': [{ id: provider }, undefined],
    'providerEvents.list': [{ id: provider }, undefined],
  };
}
