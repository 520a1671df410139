// Addresses of visitors are never stored or logged. What is kept is an HMAC under a random key of the day, which
// is thrown away two days later (`forget.ts`); hashes of two programs can't be compared.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** The networks by which visits are counted. `wide` holds many `narrow` ones that one customer may have to himself. */
export type Networks = { narrow: string; wide: string | null };

/** An IPv4 address, in whatever form it came; of IPv6 the /64 of a network and the /48 of a site. */
export function networksOf(text: string): Networks {
  const address = originOf(addressOf(text));
  if (!address.includes(':')) return { narrow: address, wide: null };
  const parts = ipaddr.IPv6.parse(address).parts.map((part) => part.toString(16));
  return { narrow: `${parts.slice(0, 4).join(':')}::/64`, wide: `${parts.slice(0, 3).join(':')}::/48` };
}

export function isAddress(text: string): boolean {
  return addressOf(text) !== 'unknown';
}

/** The bare address: some proxies add a port, and IPv4 may come dressed as IPv6. `unknown` for other text. */
function addressOf(text: string): string {
  if (!text.includes(':')) return isIP(text) === 4 ? text : 'unknown';
  const bare = (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text).replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : 'unknown';
  const parsed = ipaddr.IPv6.parse(bare);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : bare;
}

/** The IPv4 address that a transition mechanism carries inside of IPv6, since its owner chooses the rest; else the address. */
function originOf(address: string): string {
  if (!address.includes(':')) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const [first, second, third = 0] = parts;
  const [high = 0, low = 0] = parts.slice(6);
  // 6to4 (RFC 3056), Teredo (RFC 4380, inverted), NAT64 (RFC 6052) and compatible addresses (RFC 4291).
  if (first === 0x2002) return dotted(second ?? 0, third);
  if (first === 0x2001 && second === 0) return dotted(high ^ 0xffff, low ^ 0xffff);
  if (first === 0x64 && second === 0xff9b && parts.slice(2, 6).every((part) => part === 0)) return dotted(high, low);
  if (parts.slice(0, 6).every((part) => part === 0) && high !== 0) return dotted(high, low);
  return address;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** As `rangeCheck`, also for the IPv4 address inside of an IPv6 one: for blocks, never for trust. */
export function blockCheck(ranges: readonly string[]): (text: string) => boolean {
  const check = rangeCheck(ranges);
  return (text) => check(text) || (text.includes(':') && isAddress(text) && check(originOf(addressOf(text))));
}

/** Says whether an address is in one of these addresses and CIDR ranges. */
export function rangeCheck(ranges: readonly string[]): (text: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (text) => {
    const address = addressOf(text);
    return isIP(address) !== 0 && list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  };
}

/** The day (UTC) that a moment belongs to, as a date of the database. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Gives the key of a day; all server processes share it through the database. */
export function saltKeeper(ctx: Context): (at: Date) => Promise<KeyObject> {
  let kept: { day: string; salt: KeyObject } | null = null;
  return async (at) => {
    const day = dayOf(at);
    if (kept?.day !== day) kept = { day, salt: await loadSalt(ctx, day) };
    return kept.salt;
  };
}

/** The first process to ask on a day makes the key; the others read it. */
async function loadSalt(ctx: Context, day: string): Promise<KeyObject> {
  await sql`insert into tracking_salts (day, salt) values (${day}::date, ${randomBytes(32)}) on conflict do nothing`.execute(ctx.db);
  const { rows } = await sql<{ salt: Buffer }>`select salt from tracking_salts where day = ${day}::date`.execute(ctx.db);
  if (!rows[0]) throw new Error('The key of the day is not there.');
  // As a key object it is read once and not at every hash, which is six times faster.
  return createSecretKey(rows[0].salt);
}

/** In hex; 128 bits are plenty to tell the networks of a day apart. */
export function hashNetwork(salt: KeyObject, programId: string, network: string): string {
  return createHmac('sha256', salt).update(`${programId} ${network}`).digest('hex').slice(0, 32);
}
