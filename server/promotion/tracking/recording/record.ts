// Clicks that arrive together are written together and answered after the commit. The queue is bounded: beyond
// it, and while the database fails, visitors are led on unrecorded.
import { createHash, type KeyObject } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Context } from '../../../context.ts';
import { sqlState } from '../../../platform/db/transact.ts';
import { createBatcher } from '../../../platform/lib/concurrency/micro-batch.ts';
import { Unavailable } from '../../../platform/lib/errors.ts';
import type { Link } from '../links.ts';
import type { Action, ClickSettings } from '../settings.ts';
import { hashNetwork, networksOf, saltKeeper } from './addresses.ts';
import { type Statement, statementFor } from './statement.ts';
import { type Progress, within } from './within.ts';

export type Click = {
  link: Link;
  settings: ClickSettings;
  at: Date;
  ip: string;
  agent: string;
  via: 'redirect' | 'api' | 'beacon';
  visitorId: string | null;
  country: string | null;
  referrerHost: string | null;
  /** The deep link, where it isn't the program's website. */
  destination: string | null;
  subIds: readonly string[];
  flag: { reason: string; action: Action } | null;
  /** Whether the visitor was redirected meanwhile: a click that nobody waits for is not written. */
  isOver(): boolean;
};

/** `reason` says why a click is not recorded, or why it was flagged. */
export type Recorded = { recorded: boolean; clickId: string | null; reason: string | null };

/** A site of IPv6 (/48) holds 65,536 networks, of one customer or of a carrier's many. */
const wideFactor = 10;
/** As long as the database lets a statement run (db/connect.ts). Visitors wait less: their visit has a deadline of its own. */
const writeMs = 5000;
const restMs = 500;
const repeatable = new Set(['40001', '40P01']);
export const unavailable: Recorded = { recorded: false, clickId: null, reason: 'unavailable' };

/** A function that records one click with others and tells what became of it. Never throws. `progress` moves with each batch. */
export function clickRecorder(ctx: Context, progress: Progress = { movedAt: 0 }): (click: Click) => Promise<Recorded> {
  const saltOf = saltKeeper(ctx);
  let restsUntil = 0;
  const write = async (clicks: readonly Click[]): Promise<readonly Recorded[]> => {
    const at = clicks[0]?.at ?? ctx.clock.now();
    const salt = await saltOf(at);
    if (clicks.every((click) => click.isOver())) throw new Unavailable('The visitors have been redirected.');
    return runBatch(ctx, clicks, salt, at);
  };
  const enqueue = createBatcher<Click, Recorded>({
    concurrency: 2,
    maxBatch: 500,
    maxWaiting: 20_000,
    overloadError: () => new Unavailable('Too many clicks are waiting. Try again.'),
    async run(asked) {
      const isLive = asked.map((click) => !click.isOver());
      const clicks = asked.filter((_, index) => isLive[index]);
      // Whoever waited while the database hung doesn't wait for it again.
      if (clicks.length === 0 || performance.now() < restsUntil) return asked.map(() => unavailable);
      try {
        const recorded = (await within(writeMs, write(clicks))).values();
        progress.movedAt = performance.now();
        return isLive.map((live) => (live ? (recorded.next().value ?? unavailable) : unavailable));
      } catch (error) {
        const isBadRow = /^2[23]/.test(sqlState(error));
        // The batch is tried again one by one, so that a bad row spoils nobody else's click.
        if (isBadRow && asked.length > 1) throw error;
        if (!isBadRow) restsUntil = performance.now() + restMs;
        ctx.log.warn({ reason: error instanceof Error ? error.message : String(error), clicks: clicks.length }, 'clicks were not recorded');
        return asked.map(() => unavailable);
      }
    },
  });
  return (click) => enqueue(click).catch(() => unavailable);
}

async function runBatch(ctx: Context, clicks: readonly Click[], salt: KeyObject, at: Date): Promise<readonly Recorded[]> {
  const statement = statementFor({
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
      if (attempt === 3 || !repeatable.has(sqlState(error))) throw error;
    }
  }
}

function hasLimits({ clicksPerIpPerMinute, clicksPerIpPerHour }: ClickSettings): boolean {
  return clicksPerIpPerMinute + clicksPerIpPerHour > 0;
}

/** kysely hands the statement to `pg` as it is, and `pg` prepares one that has a name: planning would cost as much as running. */
async function runPrepared<Row>(ctx: Context, { name, text }: Statement, values: unknown[]): Promise<readonly Row[]> {
  const prepared = { ...CompiledQuery.raw(text, values), sql: { name, text } as unknown as string };
  return (await ctx.db.executeQuery<Row>(prepared)).rows;
}

/** A row of the statement's parameter. What isn't there is left out, not sent as null: rows are many. */
function toRow({ link, settings, at, ip, agent, flag, subIds, ...rest }: Click, id: string, salt: KeyObject) {
  const { narrow, wide } = networksOf(ip);
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
    per_minute: settings.clicksPerIpPerMinute,
    per_hour: settings.clicksPerIpPerHour,
    ...(wide !== null && {
      wide_hash: `\\x${hashNetwork(salt, link.programId, wide)}`,
      wide_minute: settings.clicksPerIpPerMinute * wideFactor,
      wide_hour: settings.clicksPerIpPerHour * wideFactor,
    }),
    ...(dedupeSeconds > 0 && {
      fingerprint: `\\x${createHash('sha256').update(address).update(`${link.affiliateId} ${agent}`).digest('hex').slice(0, 32)}`,
      repeat_until: new Date(at.getTime() + dedupeSeconds * 1000).toISOString(),
      repeat_action: duplicates === 'ignore' ? undefined : duplicates,
    }),
  };
}
