// Providers for the fuzz tests, and a valid request to each of their endpoints.
import assert from 'node:assert/strict';
import type { TestProgram, TestService } from '../harness.ts';
import { aStore } from '../stores/stores.ts';
import { webhookRows } from './webhook-samples.ts';

export type ProviderIds = { provider: string; providerEvent: string };
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

/** A connected store, and an event that it sent. */
export async function providerSampleRows(service: TestService, program: TestProgram = service.program): Promise<ProviderIds> {
  const store = await aStore(service, 'generic', program);
  await store.send({ id: 'sample', topic: 'order.shipped', body: { orderId: 'sample' } });
  const [event] = await store.events();
  return { provider: store.id, providerEvent: event?.id ?? assert.fail('no event') };
}

/** The same with a webhook, by the path segment before the id. */
export async function providerRows(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const { provider, providerEvent } = await providerSampleRows(service, program);
  return { providers: provider, 'provider-events': providerEvent, ...(await webhookRows(service, program)) };
}

/** A valid request to each endpoint. */
export function providerSamples(serial: number, { provider, providerEvent }: ProviderIds): Record<string, Sample> {
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
    'website.check': [{}, undefined],
    'providerEvents.list': [{}, undefined],
    'providerEvents.get': [{ id: providerEvent }, undefined],
  };
}
