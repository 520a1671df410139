// IP addresses of visitors are never stored or logged. Stored is an HMAC of their network with a random key of the day,
// which is deleted two days later; hashes of two programs can't be compared.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { parseIpAddress, toEmbeddedIpv4 } from '../../../platform/lib/network/ip-address.ts';

/** The networks by which visits are counted. `wide` contains many `narrow` ones that one customer can own. */
export type Networks = { narrow: string; wide: string | null };

/** The IPv4 address in any form; for IPv6 the /64 network and the /48 site. */
export function toNetworks(text: string): Networks {
  const parsed = parseIpAddress(text);
  if (parsed === null) return { narrow: 'unknown', wide: null };
  const address = toEmbeddedIpv4(parsed);
  if (!address.includes(':')) return { narrow: address, wide: null };
  const parts = ipaddr.IPv6.parse(address).parts.map((part) => part.toString(16));
  return { narrow: `${parts.slice(0, 4).join(':')}::/64`, wide: `${parts.slice(0, 3).join(':')}::/48` };
}

/** The day of a time in UTC, as YYYY-MM-DD. */
export function toUtcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Returns a function that loads the key of a day. All server processes share it through the database. */
export function createSaltCache(ctx: Context): (at: Date) => Promise<KeyObject> {
  let cached: { day: string; salt: Promise<KeyObject> } | null = null;
  return (at) => {
    const day = toUtcDay(at);
    if (cached?.day === day) return cached.salt;
    // Clicks that arrive meanwhile wait for the same key. If it can't be read, the next click tries again.
    const loading = { day, salt: loadSalt(ctx, day) };
    cached = loading;
    loading.salt.catch(() => {
      if (cached === loading) cached = null;
    });
    return loading.salt;
  };
}

/** The first process of a day creates the key; the others read it. */
async function loadSalt(ctx: Context, day: string): Promise<KeyObject> {
  await sql`insert into tracking_salts (day, salt) values (${day}::date, ${randomBytes(32)}) on conflict do nothing`.execute(ctx.db);
  const { rows } = await sql<{ salt: Buffer }>`select salt from tracking_salts where day = ${day}::date`.execute(ctx.db);
  if (!rows[0]) throw new Error('The key of the day is missing.');
  // A key object is parsed once instead of at every hash, which is six times faster.
  return createSecretKey(rows[0].salt);
}

/** In hex; 128 bits are enough to distinguish the networks of a day. */
export function hashNetwork(salt: KeyObject, programId: string, network: string): string {
  return createHmac('sha256', salt).update(`${programId} ${network}`).digest('hex').slice(0, 32);
}
