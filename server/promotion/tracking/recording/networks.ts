// IP addresses of visitors are never stored or logged. Stored is a hash of their network and a random key of the day,
// which is deleted two days later; hashes of two programs can't be compared.
import { hash, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { parseIpAddress, toEmbeddedIpv4 } from '../../../platform/lib/network/ip-address.ts';
import { toUtcDay } from '../../../platform/lib/zoned-time.ts';

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

/** Returns a function that loads the key of a day, without a promise once it is known. All server processes share it. */
export function createSaltCache(ctx: Context): (at: Date) => string | Promise<string> {
  let cached: { day: number; salt: string | Promise<string> } | null = null;
  return (at) => {
    const day = Math.floor(at.getTime() / 86_400_000);
    if (cached?.day === day) return cached.salt;
    // Clicks that arrive in the meantime wait for the same key. If it can't be read, the next click tries again.
    const loading = loadSalt(ctx, toUtcDay(at));
    const entry: typeof cached = { day, salt: loading };
    cached = entry;
    loading.then(
      (salt) => {
        entry.salt = salt;
      },
      () => {
        if (cached === entry) cached = null;
      },
    );
    return loading;
  };
}

/** The first process of a day creates the key; the others read it. In hex. */
async function loadSalt(ctx: Context, day: string): Promise<string> {
  await sql`insert into tracking_salts (day, salt) values (${day}::date, ${randomBytes(32)}) on conflict do nothing`.execute(ctx.db);
  const { rows } = await sql<{ salt: Buffer }>`select salt from tracking_salts where day = ${day}::date`.execute(ctx.db);
  if (!rows[0]) throw new Error('The key of the day is missing.');
  return rows[0].salt.toString('hex');
}

/**
 * In hex; 128 bits are enough to distinguish the networks of a day. The hash is cut off and the key comes first with a fixed
 * length, so this needs no HMAC, which takes five times as long.
 */
export function hashNetwork(salt: string, programId: string, network: string): string {
  return hash('sha256', `${salt} ${programId} ${network}`).slice(0, 32);
}
