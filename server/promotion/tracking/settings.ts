// A program's settings for clicks: rate limits per address, duplicates, and blocked sources (Contract §8). Stored in
// programs.click_settings; absent settings have their defaults.
import { z } from 'zod';
import { parseHostName } from '../../platform/lib/network/host-name.ts';
import { parseIpRange } from '../../platform/lib/network/ip-address.ts';

/** ignore: not recorded · record_flagged: recorded with the reason · hold: recorded, and its commissions are held. */
const Action = z.enum(['ignore', 'record_flagged', 'hold']).meta({ id: 'ClickAction' });
export type Action = z.output<typeof Action>;

function whole(max: number) {
  const range = `must be a whole number from 0 to ${max}`;
  return z.int(range).min(0, range).max(max, range);
}

const range = z
  .string()
  .refine((text) => parseIpRange(text) !== null, { error: 'must be an IP address or a CIDR range such as 203.0.113.0/24' })
  .transform((text) => parseIpRange(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 64 } });

const host = z
  .string()
  .refine((text) => parseHostName(text) !== null, { error: 'must be a host name such as coupons.example, without scheme, port or path' })
  .transform((text) => parseHostName(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 253 } });

const country = z
  .string()
  .refine((text) => /^[A-Za-z]{2}$/.test(text), { error: 'must be a two-letter ISO 3166 country code' })
  .transform((text) => text.toUpperCase())
  .meta({ json: { type: 'string', minLength: 2, maxLength: 2 } });

const listOf = (item: z.ZodType<string>, max: number) =>
  z
    .array(item)
    .max(max)
    .transform((list) => [...new Set(list)])
    .meta({ json: { type: 'array', maxItems: max, items: { type: 'string' } } });

export const settingFields = {
  clicksPerIpPerMinute: whole(100_000).describe(
    'The maximum number of recorded clicks per IP address and minute; 0 for no limit. IPv6 addresses are limited per /64, and ' +
      'per /48 with ten times the limit.',
  ),
  clicksPerIpPerHour: whole(1_000_000).describe('The maximum number of recorded clicks per IP address and hour; 0 for no limit.'),
  dedupeSeconds: whole(86_400).describe(
    'Clicks from the same IP address and user agent for the same affiliate within this many seconds are duplicates; 0 disables ' +
      'the check.',
  ),
  blockedIpRanges: listOf(range, 500).describe('IP addresses and CIDR ranges.'),
  blockedReferrers: listOf(host, 500).describe('Hosts, including all subdomains.'),
  blockedCountries: listOf(country, 250).describe('ISO 3166 country codes. Requires a trusted proxy that sends `CF-IPCountry`.'),
  bots: Action.describe('Crawlers, monitors, scripts, and requests without a user agent.'),
  prefetches: Action.describe('Pages that a browser loads in advance, and HEAD requests.'),
  embedded: Action.describe('Links loaded in a frame, as an image or by a script instead of being opened.'),
  duplicates: Action.describe('Duplicates within `dedupeSeconds`.'),
  blocked: Action.describe('Clicks from the blocked IP ranges, referrers and countries.'),
};

export const ClickSettings = z.object(settingFields);
export type ClickSettings = z.output<typeof ClickSettings>;

export const defaultClickSettings: ClickSettings = {
  clicksPerIpPerMinute: 60,
  clicksPerIpPerHour: 600,
  dedupeSeconds: 0,
  blockedIpRanges: [],
  blockedReferrers: [],
  blockedCountries: [],
  bots: 'ignore',
  prefetches: 'ignore',
  embedded: 'ignore',
  duplicates: 'ignore',
  blocked: 'ignore',
};

/** The stored settings, with defaults for absent or invalid ones. */
export function parseClickSettings(stored: unknown): ClickSettings {
  const fields = typeof stored === 'object' && stored !== null ? stored : {};
  const known = Object.entries(settingFields).flatMap(([name, schema]) => {
    const parsed = schema.safeParse((fields as Record<string, unknown>)[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return { ...defaultClickSettings, ...Object.fromEntries(known) };
}
