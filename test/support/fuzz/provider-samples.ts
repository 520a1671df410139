// The rows and requests of outside systems.
import assert from 'node:assert/strict';
import type { TestProgram, TestService } from '../harness.ts';

export type ProviderIds = { provider: string; spentProvider: string };
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

/** A shop that is connected, and one to be archived. */
export async function providerSampleRows(service: TestService, program: TestProgram = service.program): Promise<ProviderIds> {
  const connect = async (name: string): Promise<string> => {
    const body = { type: 'generic', name };
    const created = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
    assert.equal(created.status, 201, created.text);
    return created.body.id;
  };
  return { provider: await connect('Shop'), spentProvider: await connect('Old shop') };
}

/** The same by the part of a path that names them. */
export async function providerRows(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  return { providers: (await providerSampleRows(service, program)).provider };
}

/** A request of each endpoint that would be taken. */
export function providerSamples(serial: number, { provider, spentProvider }: ProviderIds): Record<string, Sample> {
  const settings = { config: { apiUrl: 'https://stripe.example' }, secrets: { webhookSecret: `whsec_sample_${serial}` } };
  return {
    'providers.create': [{}, { type: 'stripe', name: `P${serial}`, mode: 'test', currencies: ['USD'], isDefault: false, ...settings }],
    'providers.get': [{ id: provider }, undefined],
    'providers.update': [
      { id: provider },
      { name: `Q${serial}`, status: 'connected', mode: 'live', currencies: ['EUR'], isDefault: false },
    ],
    'providers.archive': [{ id: spentProvider }, undefined],
    'providers.coverage': [{ id: provider }, undefined],
    'providers.sync': [{ id: provider }, undefined],
    'providers.test': [{ id: provider }, undefined],
    'providerEvents.list': [{ id: provider }, undefined],
  };
}
