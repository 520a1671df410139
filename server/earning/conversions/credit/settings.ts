import { FlatRefunds } from '../../../accounts/programs/settings.ts';
import type { Context } from '../../../context.ts';
import { FraudSettings } from '../../fraud/suspicions.ts';
import type { Settings } from './weigh.ts';

export type Program = { settings: Settings; fraud: FraudSettings; flatRefunds: FlatRefunds; currency: string };

/** The settings by which a program credits and pays. */
export async function readProgram(ctx: Pick<Context, 'db'>, programId: string): Promise<Program> {
  const row = await ctx.db.selectFrom('programs').selectAll().where('id', '=', programId).executeTakeFirstOrThrow();
  const settings: Settings = {
    model: row.attributionModel === 'first_click' ? 'first_click' : 'last_click',
    priority: row.attributionPriority === 'click_first' ? 'click_first' : 'coupon_first',
    windowDays: row.attributionWindowDays,
    hijackGuardSeconds: row.hijackGuardSeconds,
    remembersCustomers: row.remembersCustomers,
    holdDays: row.holdDays,
    capPercent: row.commissionCapPercent === null ? null : Number(row.commissionCapPercent),
    hashKey: row.hashKey,
  };
  return {
    settings,
    fraud: FraudSettings.parse(row.fraudSettings),
    flatRefunds: FlatRefunds.parse(row.flatRefunds),
    currency: row.currency,
  };
}
