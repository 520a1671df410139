// The explanation of a lead: who was credited and what they earn, from the stored decision.
import type { Context } from '../../context.ts';
import { OrderFacts } from '../commission-rules/order-facts.ts';
import { readAffiliates } from '../conversions/explaining/read-order.ts';
import { writeSentences } from '../conversions/explaining/sentences.ts';
import { StoredDecision } from '../conversions/stored-decision.ts';

/** One sentence for each signal, commission and fraud alert, and for a rejection. */
export async function readLeadSentences(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<string[]> {
  const leads = ctx.db.selectFrom('leads').select(['facts', 'decision', 'currency', 'rejectedAt', 'rejectionNote']);
  const row = await leads.where('programId', '=', programId).where('id', '=', id).executeTakeFirstOrThrow();
  const [facts, decision] = [OrderFacts.parse(row.facts), StoredDecision.parse(row.decision)];
  const named = decision.signals.flatMap(({ affiliateId }) => affiliateId ?? []);
  const affiliates = await readAffiliates(ctx, programId, named);
  const sentences = writeSentences({ facts, decision, currency: row.currency }, affiliates);
  return row.rejectedAt === null ? sentences : [...sentences, explainRejection(row.rejectedAt, row.rejectionNote)];
}

function explainRejection(at: Date, note: string | null): string {
  const day = at.toISOString().slice(0, 10);
  return `The lead was rejected on ${day}${note === null ? '' : ` (“${note}”)`}: its commissions are reversed.`;
}
