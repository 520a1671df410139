import { parseExternalJson } from '../../../platform/lib/json.ts';
import type { RailParts } from '../rail.ts';
import type { Span } from '../time-span.ts';
import { name, type WiseApi } from './api.ts';
import type { Transfer } from './transfer.ts';

const pageSize = 100;

/** Every transfer in a time span, including unfunded ones. Throws if a page is unavailable. */
export async function* listTransfersIn({ from, to }: Span, api: WiseApi, { config }: RailParts): AsyncIterable<Transfer> {
  for (let offset = 0; ; offset += pageSize) {
    const query = new URLSearchParams({
      profile: String(config.profileId),
      createdDateStart: from.toISOString(),
      createdDateEnd: to.toISOString(),
      limit: String(pageSize),
      offset: String(offset),
    });
    const response = await api('GET', `/v1/transfers?${query}`);
    if ('outcome' in response) throw new Error(`${name}'s transfer list could not be read: ${'reason' in response ? response.reason : ''}`);
    const page = response.status === 200 ? parseJsonArray(response.body) : null;
    if (!page) throw new Error(`${name}'s transfer list could not be read (status ${response.status}).`);
    yield* page;
    if (page.length < pageSize) return;
  }
}

function parseJsonArray(body: string): Transfer[] | null {
  try {
    const value = parseExternalJson(body);
    return Array.isArray(value) ? (value as Transfer[]) : null;
  } catch {
    return null;
  }
}
