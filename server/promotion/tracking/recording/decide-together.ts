// Decides which clicks of a batch are recorded: rate limits per address (Contract §8), the affiliate's status, duplicates.
import { createHash, type KeyObject } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Context } from '../../../context.ts';
import { sqlState } from '../../../platform/db/transact.ts';
import type { Link } from '../links.ts';
import type { ClickSettings } from '../settings.ts';
import type { Click, Recorded } from './click.ts';
import { hashNetwork, toNetworks } from './networks.ts';
import { getStatement } from './statement.ts';
import type { ClickRow } from './write-clicks.ts';

/** What becomes of a click; `row`, if it is recorded. */
export type Decision = { outcome: Recorded } | { outcome: Recorded; row: ClickRow };

/** An IPv6 site (/48) contains 65,536 networks, of one customer or of many customers of a carrier. */
const wideFactor = 10;
const retryable = new Set(['40001', '40P01']);

type Named = { click: Click; id: string; address: string; wide: string | null };
type Found = { isLimited: boolean; firstId: string | null };

export async function decideTogether(ctx: Context, clicks: readonly Click[], salt: KeyObject): Promise<Decision[]> {
  const named = clicks.map((click): Named => {
    const { narrow, wide } = toNetworks(click.ip);
    const { programId } = click.link;
    return {
      click,
      id: ctx.ids.uuid(),
      address: hashNetwork(salt, programId, narrow),
      wide: wide === null ? null : hashNetwork(salt, programId, wide),
    };
  });
  const found = await findEarlier(ctx, named);
  return named.map((one, index) => decide(one, found[index] ?? { isLimited: false, firstId: null }));
}

function decide({ click, id, address }: Named, { isLimited, firstId }: Found): Decision {
  if (isLimited) return { outcome: { recorded: false, clickId: null, reason: 'rate_limited' } };
  if (!click.isActive) return { outcome: { recorded: false, clickId: null, reason: 'affiliate_not_active' } };
  const { duplicates } = click.settings;
  const isRepeat = firstId !== null && firstId !== id;
  if (isRepeat && duplicates === 'ignore') return { outcome: { recorded: false, clickId: firstId, reason: 'duplicate' } };
  const flag = click.flag ?? (isRepeat && duplicates !== 'ignore' ? { reason: 'duplicate', action: duplicates } : null);
  return { outcome: { recorded: true, clickId: id, reason: flag?.reason ?? null }, row: { click, id, address, flag } };
}

function hasLimits({ clicksPerIpPerMinute, clicksPerIpPerHour }: ClickSettings): boolean {
  return clicksPerIpPerMinute + clicksPerIpPerHour > 0;
}

/** Counts the clicks in their windows, and finds the first click of each that is repeated. */
async function findEarlier(ctx: Context, named: readonly Named[]): Promise<readonly Found[]> {
  const settings = named.map(({ click }) => click.settings);
  const limits = settings.some(hasLimits);
  const repeats = settings.some(({ dedupeSeconds }) => dedupeSeconds > 0);
  if (!limits && !repeats) return [];
  const hasWide = named.some(({ click, wide }) => wide !== null && hasLimits(click.settings));
  const text = getStatement({ limits, repeats, hasWide });
  const rows = JSON.stringify(named.map(toParameters));
  const values = text.includes('$2') ? [rows, named[0]?.click.at] : [rows];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await ctx.db.executeQuery<Found>(CompiledQuery.raw(text, values))).rows;
    } catch (error) {
      if (attempt === 3 || !retryable.has(sqlState(error))) throw error;
    }
  }
}

/** A row of the statement's parameter. Undefined fields are omitted from the JSON, which keeps it small. */
function toParameters({ click: { link, settings, at, agent }, id, address, wide }: Named) {
  const { dedupeSeconds } = settings;
  return {
    program_id: link.programId,
    id,
    created_at: at.toISOString(),
    ip_hash: `\\x${address}`,
    per_minute: settings.clicksPerIpPerMinute,
    per_hour: settings.clicksPerIpPerHour,
    wide_hash: wide === null ? undefined : `\\x${wide}`,
    wide_minute: wide === null ? undefined : settings.clicksPerIpPerMinute * wideFactor,
    wide_hour: wide === null ? undefined : settings.clicksPerIpPerHour * wideFactor,
    fingerprint: dedupeSeconds > 0 ? `\\x${fingerprint(address, link, agent)}` : undefined,
    repeat_until: dedupeSeconds > 0 ? new Date(at.getTime() + dedupeSeconds * 1000).toISOString() : undefined,
  };
}

/** Equal for clicks of one address, user agent and affiliate. */
function fingerprint(address: string, { affiliateId }: Link, agent: string): string {
  return createHash('sha256').update(address).update(`${affiliateId} ${agent}`).digest('hex').slice(0, 32);
}
