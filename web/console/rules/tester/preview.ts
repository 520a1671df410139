// What the tested order earns under the rules, with a draft of one.
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { dayOf } from '../../../ui/figures/days.ts';
import { useSettled } from '../../../ui/form/use-settled.ts';
import type { RuleChange } from '../rule-change.ts';
import { type TestedOrder, toBody } from './tested-order.ts';

export type Preview = Result<'commissionRules.preview'>;

const pauseMs = 250;

/** What the order earns a moment after the last input; without data while the affiliate or the amount is missing. */
export function usePreview(order: TestedOrder, change: RuleChange | null) {
  const { id: programId, timezone } = useProgram();
  const { now } = useFigures();
  const body = toBody(order, change, { timezone, today: dayOf(now, timezone) });
  const settled = useSettled(JSON.stringify(body), pauseMs);
  const sent = JSON.parse(settled) as typeof body;
  const read = useRead('commissionRules.preview', { path: { programId }, body: sent ?? { amountCents: 0 } }, { enabled: sent !== null });
  return { read, isComplete: body !== null && sent !== null };
}
