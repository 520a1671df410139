import { parseExternalJson } from '../../../platform/lib/json.ts';
import type { RailParts } from '../rail.ts';
import type { Span } from '../span.ts';
import { name, type WiseApi } from './api.ts';
import type { Transfer } from './transfer.ts';

const pageSize = 100;

/** Every transfer of a span, also unfunded ones. Throws where a page can't be had. */
export async function* transfersIn({ from, to }: Span, api: WiseApi, { config }: RailParts): AsyncIterable<Transfer> {
  for (let offset = 0; ; offset += pageSize) {
    const query = new URLSearchParams({
      ...{ profile: String(config.profileId), createdDateStart: from.toISOString(), createdDateEnd: to.toISOString() },
      ...{ limit: String(pageSize), offset: String(offset) },
    });
    const response = await api('GET', `/v1/transfers?${query}`);
    if ('outcome' in response) throw new Error(`${name}'s book could not be read: ${'reason' in response ? response.reason : ''}`);
    const page = response.status === 200 ? arrayIn(response.body) : null;
    if (!page) throw new Error(`${name}'s book could not be read: it answered ${response.status}.`);
    yield* page;
    if (page.length < pageSize) return;
  }
}

function arrayIn(body: string): Transfer[] | null {
  try {
    const value = parseExternalJson(body);
    return Array.isArray(value) ? (value as Transfer[]) : null;
  } catch {
    return null;
  }
}
