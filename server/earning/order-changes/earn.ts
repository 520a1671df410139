// What a moved or increased order earns: calculated by the rules that were valid when it occurred, held by the causes that
// are open, and recorded as new commissions.
import type { Tx } from '../../context.ts';
import { recordEventsOf } from '../../messaging/events/record.ts';
import type { Actor } from '../../platform/lib/actor.ts';
import { type Before, calculate } from '../commission-rules/calculate.ts';
import { allVersions, rulesAt } from '../commission-rules/choose-rule.ts';
import { loadHistory, loadRunningTotals, storeBudgets } from '../commission-rules/load.ts';
import type { OrderFacts } from '../commission-rules/order-facts.ts';
import { accrue } from '../commissions/accrue.ts';
import type { RecordedOrder } from '../conversions/changing/recorded-order.ts';
import { readSettings } from '../conversions/recording/look-up.ts';
import type { LockedLedger } from '../ledger/post.ts';
import { readOpenCauses } from './causes.ts';

const dayMs = 86_400_000;

type Work = {
  order: RecordedOrder;
  facts: OrderFacts;
  before?: Before;
  /** The hold periods of the groups of the earners; null uses the program's. */
  holdDays: ReadonlyMap<string, number | null>;
  /** When the hold period begins. */
  since: Date;
  actor: Actor;
};

/** Calculates and records the commissions. The transfers are not posted. Throws AmountTooLarge. */
export async function earnAgain(tx: Tx, ledger: LockedLedger, { order, facts, before, holdDays, since, actor }: Work) {
  const { programId } = ledger;
  const settings = await readSettings(tx, programId);
  const history = await loadHistory(tx, programId, [facts]);
  const running = await loadRunningTotals(tx, programId, [facts], { rules: allVersions(history), except: order.id });
  const calculation = calculate(facts, rulesAt(history, facts.at), running, before);
  const earners = [...new Set(calculation.drafts.map(({ affiliateId }) => affiliateId))];
  const maturesAt = new Map(earners.map((id) => [id, new Date(since.getTime() + (holdDays.get(id) ?? settings.holdDays) * dayMs)]));
  const holds = await readOpenCauses(tx, programId, order.id);
  const { orderId, id: conversionId } = order;
  const earning = { conversionId, orderId, drafts: calculation.drafts, maturesAt, holds, flatRefunds: settings.flatRefunds, actor };
  const accrued = await accrue(tx, ledger, [earning]);
  await recordEventsOf(tx, programId, accrued.events);
  await storeBudgets(tx, programId, running);
  return { calculation, ...accrued };
}
