// A connection that stopped working: its status, and the event that announces it once, until it works again.
import type { Tx } from '../../context.ts';
import { defineEvent } from '../../messaging/events/define.ts';
import { type EventOrigin, recordEvent } from '../../messaging/events/record.ts';
import { getProvider, lockProvider, type Provider, ProviderShape, recordProviderHealth, toProvider } from './provider.ts';

export const providerNeedsAttention = defineEvent({
  type: 'provider.needsAttention',
  object: 'provider',
  data: ProviderShape,
  summary: 'The connection to a store or payout provider stopped working: `lastError` says why.',
  previous: { status: 'connected', lastError: null },
});

/** Records that a provider needs attention. `lastError` must contain no secret. */
export async function recordProblem(
  tx: Tx,
  { programId, id }: { programId: string; id: string },
  lastError: string,
  actor: EventOrigin['actor'] = { kind: 'provider', id },
): Promise<void> {
  const before = await lockProvider(tx, programId, id);
  await recordProviderHealth(tx, before, { status: 'needs_attention', lastError });
  await announceProblem(tx, { programId, actor }, { before, after: await getProvider(tx, programId, id) });
}

/** Records the event if the provider was connected before. */
export async function announceProblem(
  tx: Tx,
  origin: EventOrigin,
  { before, after }: { before: Provider; after: Provider },
): Promise<void> {
  if (before.status !== 'connected' || after.status !== 'needs_attention') return;
  const previous = { status: before.status, lastError: before.lastError };
  await recordEvent(tx, origin, providerNeedsAttention.of({ objectId: after.id, data: toProvider(tx, after), previous }));
}
