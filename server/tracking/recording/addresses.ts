// Addresses of visitors are never stored or logged. What is kept is an HMAC under a random key of the day, which
// is thrown away two days later (`forget.ts`); hashes of two programs can't be compared.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** What counts as one visitor: an IPv4 address, or the /64 that an IPv6 customer has to himself. */
export function networkOf(text: string): string {
  if (!text.includes(':')) return text;
  const address = addressOf(text);
  if (!address.includes(':')) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/** The bare address: some proxies add a port, and IPv4 may come dressed as IPv6. Odd text stays as it is. */
function addressOf(text: string): string {
  const bare = (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text).replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : 'unknown';
  const parsed = ipaddr.IPv6.parse(bare);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : bare;
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

/** In hex; 128 bits are plenty to tell the addresses of a day apart. */
export function hashAddress(salt: KeyObject, programId: string, ip: string): string {
  return createHmac('sha256', salt)
    .update(`${programId} ${networkOf(ip)}`)
    .digest('hex')
    .slice(0, 32);
}
