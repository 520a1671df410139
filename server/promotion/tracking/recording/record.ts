// Clicks that arrive together are written together, and their visitors are redirected after the commit. The queue is
// bounded: beyond it, and while the database fails, clicks are not recorded.
import { createHash, type KeyObject } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Context } from '../../../context.ts';
import { sqlState } from '../../../platform/db/transact.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import { localDate } from '../../../platform/lib/zoned-time.ts';
import type { Link } from '../links.ts';
import type { Action, ClickSettings } from '../settings.ts';
import { type Progress, withTimeout } from './deadline.ts';
import { createSaltCache, hashNetwork, toNetworks } from './networks.ts';
import { getStatement, type Statement } from './statement.ts';

export type Click = {
  link: Link;
  settings: ClickSettings;
  /** The program's time zone, for the day on which the click counts. */
  timezone: string;
  at: Date;
  ip: string;
  agent: string;
  via: 'redirect' | 'api' | 'beacon';
  visitorId: string | null;
  country: string | null;
  referrerHost: string | null;
  /** The deep link; null for the program's website. */
  destination: string | null;
  subIds: readonly string[];
  flag: { reason: string; action: Action } | null;
  /** Whether the visitor was redirected in the meantime: such a click is not written. */
  isOver(): boolean;
};

/** `reason`: why a click was rejected or flagged. */
export type Recorded = { recorded: boolean; clickId: string | null; reason: string | null };

/** An IPv6 site (/48) contains 65,536 networks, of one customer or of many customers of a carrier. */
const wideFactor = 10;
/** The statement timeout of the database (db/connect.ts). Visits have a shorter deadline of their own. */
const writeMs = 5000;
const pauseMs = 500;
const retryable = new Set(['40001', '40P01']);
export const unavailable: Recorded = { recorded: false, clickId: null, reason: 'unavailable' };

/** Returns a function that records a click in the next batch. It never rejects. `progress` moves with each batch. */
export function createClickRecorder(ctx: Context, progress: Progress = { movedAt: 0 }): (click: Click) => Promise<Recorded> {
  const loadSalt = createSaltCache(ctx);
  let pausedUntil = 0;
  const write = async (clicks: readonly Click[]): Promise<readonly Recorded[]> => {
    const at = clicks[0]?.at ?? ctx.clock.now();
    const salt = await loadSalt(at);
    if (clicks.every((click) => click.isOver())) throw new Unavailable('The visitors have been redirected.');
    return runBatch(ctx, clicks, salt, at);
  };
  const enqueue = createBatcher<Click, Recorded>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many clicks are waiting. Try again.'),
    async run(waiting) {
      const isLive = waiting.map((click) => !click.isOver());
      const clicks = waiting.filter((_, index) => isLive[index]);
      // Visitors who already waited for an unresponsive database don't wait for it again.
      if (clicks.length === 0 || performance.now() < pausedUntil) return waiting.map(() => unavailable);
      try {
        const recorded = (await withTimeout(writeMs, write(clicks))).values();
        progress.movedAt = performance.now();
        return isLive.map((live) => (live ? (recorded.next().value ?? unavailable) : unavailable));
      } catch (error) {
        const isInvalidRow = /^2[23]/.test(sqlState(error));
        // The clicks are retried one by one, so that an invalid row doesn't fail the others.
        if (isInvalidRow && waiting.length > 1) throw error;
        if (!isInvalidRow) pausedUntil = performance.now() + pauseMs;
        ctx.log.warn({ reason: error instanceof Error ? error.message : String(error), clicks: clicks.length }, 'clicks were not recorded');
        return waiting.map(() => unavailable);
      }
    },
  });
  return (click) => enqueue(click).catch(() => unavailable);
}

async function runBatch(ctx: Context, clicks: readonly Click[], salt: KeyObject, at: Date): Promise<readonly Recorded[]> {
  const statement = getStatement({
    hasWide: clicks.some(({ ip, settings }) => ip.includes(':') && hasLimits(settings)),
    limits: clicks.some(({ settings }) => hasLimits(settings)),
    repeats: clicks.some(({ settings }) => settings.dedupeSeconds > 0),
  });
  const rows = JSON.stringify(clicks.map((click) => toRow(click, ctx.ids.uuid(), salt)));
  const values = statement.text.includes('$2') ? [rows, at] : [rows];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runPrepared<Recorded>(ctx, statement, values);
    } catch (error) {
      if (attempt === 3 || !retryable.has(sqlState(error))) throw error;
    }
  }
}

function hasLimits({ clicksPerIpPerMinute, clicksPerIpPerHour }: ClickSettings): boolean {
  return clicksPerIpPerMinute + clicksPerIpPerHour > 0;
}

/** `pg` prepares statements that have a name; without it, planning would take as long as running. */
async function runPrepared<Row>(ctx: Context, { name, text }: Statement, values: unknown[]): Promise<readonly Row[]> {
  const prepared = { ...CompiledQuery.raw(text, values), sql: { name, text } as unknown as string };
  return (await ctx.db.executeQuery<Row>(prepared)).rows;
}

/** A row of the statement's parameter. Undefined fields are omitted from the JSON, which keeps it small. */
function toRow({ link, settings, timezone, at, ip, agent, flag, subIds, ...rest }: Click, id: string, salt: KeyObject) {
  const { narrow, wide } = toNetworks(ip);
  const address = hashNetwork(salt, link.programId, narrow);
  const { dedupeSeconds, duplicates } = settings;
  return {
    program_id: link.programId,
    id,
    affiliate_id: link.affiliateId,
    created_at: at.toISOString(),
    slug: link.slug,
    via: rest.via,
    visitor_id: rest.visitorId ?? undefined,
    ip_hash: `\\x${address}`,
    agent: agent.slice(0, 256),
    country: rest.country ?? undefined,
    referrer_host: rest.referrerHost ?? undefined,
    destination: rest.destination ?? undefined,
    sub_ids: subIds,
    reason: flag?.reason,
    action: flag?.action,
    day: localDate(at, timezone),
    per_minute: settings.clicksPerIpPerMinute,
    per_hour: settings.clicksPerIpPerHour,
    wide_hash: wide === null ? undefined : `\\x${hashNetwork(salt, link.programId, wide)}`,
    wide_minute: wide === null ? undefined : settings.clicksPerIpPerMinute * wideFactor,
    wide_hour: wide === null ? undefined : settings.clicksPerIpPerHour * wideFactor,
    fingerprint: dedupeSeconds > 0 ? `\\x${fingerprint(address, link, agent)}` : undefined,
    repeat_until: dedupeSeconds > 0 ? new Date(at.getTime() + dedupeSeconds * 1000).toISOString() : undefined,
    repeat_action: dedupeSeconds > 0 && duplicates !== 'ignore' ? duplicates : undefined,
  };
}

/** Equal for clicks of one address, user agent and affiliate. */
function fingerprint(address: string, { affiliateId }: Link, agent: string): string {
  return createHash('sha256').update(address).update(`${affiliateId} ${agent}`).digest('hex').slice(0, 32);
}
