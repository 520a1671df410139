// What a brand decides about clicks: limits per address, repeats, and what is blocked (Contract §8). Kept in
// programs.click_settings; what is absent there has its default.
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** ignore: not recorded · record_flagged: recorded with the reason · hold: recorded, and what it earns is held. */
const Action = z.enum(['ignore', 'record_flagged', 'hold']).meta({ id: 'ClickAction' });
export type Action = z.output<typeof Action>;

function whole(max: number) {
  const range = `must be a whole number from 0 to ${max}`;
  return z.int(range).min(0, range).max(max, range);
}

const range = z
  .string()
  .refine((text) => rangeOf(text) !== null, { error: 'must be an IP address or a CIDR range such as 203.0.113.0/24' })
  .transform((text) => rangeOf(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 64 } });

/** The one spelling of an address or range, or null. */
function rangeOf(text: string): string | null {
  const [address = '', bits, ...rest] = text.trim().split('/');
  if (rest.length > 0 || text.length > 64) return null;
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !(address.includes(':') && ipaddr.IPv6.isValid(address))) return null;
  if (address.includes('%')) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return null;
  return bits === undefined ? parsed.toString() : `${parsed.toString()}/${Number(bits)}`;
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

const host = z
  .string()
  .refine((text) => hostOf(text) !== null, { error: 'must be a host name such as coupons.example, without scheme, port or path' })
  .transform((text) => hostOf(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 253 } });

function hostOf(text: string): string | null {
  const name = /[/\\?#%@:[\]\s]/.test(text.trim()) ? '' : domainToASCII(text.trim());
  return name.length <= 253 && name.split('.').every((part) => label.test(part)) ? name : null;
}

const country = z
  .string()
  .refine((text) => /^[A-Za-z]{2}$/.test(text), { error: 'must be a country code of two letters (ISO 3166)' })
  .transform((text) => text.toUpperCase())
  .meta({ json: { type: 'string', minLength: 2, maxLength: 2 } });

const listOf = (item: z.ZodType<string>, max: number) =>
  z
    .array(item)
    .max(max)
    .transform((list) => [...new Set(list)]);

export const settingFields = {
  clicksPerIpPerMinute: whole(100_000).describe(
    'Clicks of one address that are recorded in a minute; 0 is no limit. IPv6 counts by /64, and by /48 with ten times the limit.',
  ),
  clicksPerIpPerHour: whole(1_000_000).describe('The same for an hour; 0 is no limit.'),
  dedupeSeconds: whole(86_400).describe('A click of the same address, agent and link within so many seconds is a repetition; 0 is off.'),
  blockedIpRanges: listOf(range, 500).describe('Addresses and CIDR ranges.'),
  blockedReferrers: listOf(host, 500).describe('Hosts, with all of their subdomains.'),
  blockedCountries: listOf(country, 250).describe('ISO 3166 codes. Needs a trusted proxy that sends `CF-IPCountry`.'),
  bots: Action.describe('Crawlers, monitors, scripts, and whoever sends no user agent.'),
  prefetches: Action.describe('What a browser loads before anybody clicked, and HEAD requests.'),
  embedded: Action.describe('Links loaded as a frame, an image or by a script instead of being opened.'),
  duplicates: Action.describe('Repetitions within `dedupeSeconds`.'),
  blocked: Action.describe('Whatever the three lists name.'),
};

export const ClickSettings = z.object(settingFields);
export type ClickSettings = z.output<typeof ClickSettings>;

export const defaults: ClickSettings = {
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

/** Settings as stored, with defaults for what isn't there or isn't understood. */
export function readSettings(stored: unknown): ClickSettings {
  const given = typeof stored === 'object' && stored !== null ? stored : {};
  const known = Object.entries(settingFields).flatMap(([name, schema]) => {
    const parsed = schema.safeParse((given as Record<string, unknown>)[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return { ...defaults, ...Object.fromEntries(known) };
}
