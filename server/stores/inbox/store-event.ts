// What is done with an event of a store: its payload becomes actions, and all of them are applied.
import type { Provider } from '../../connections/providers/provider.ts';
import { getProviderType } from '../../connections/providers/provider-types.ts';
import { readConfig } from '../../connections/providers/settings.ts';
import { BadSignature } from '../../connections/rails/rail.ts';
import { parsePayload } from '../../connections/stores/payload.ts';
import { type IgnoredReason, type ParsedEvent, type StoreType, UnreadableEvent } from '../../connections/stores/store.ts';
import type { Tx } from '../../context.ts';
import { type AppliedAction, applyAction, validateAction } from '../commerce/apply-action.ts';
import { saveFailedOrders } from '../commerce/record-order.ts';

type Message = { topic: string; payload: string };

/** `isOptional`: the order of the event may never have existed. */
export type ProcessedEvent = { ignored: IgnoredReason } | { applied: AppliedAction[]; isOptional: boolean };

/** Applies an event of a store. Throws UnreadableEvent for an event that can never be processed. */
export async function applyStoreEvent(tx: Tx, provider: Provider, message: Message): Promise<ProcessedEvent> {
  const { actions, ignored } = parseStoreEvent(provider, message);
  if (ignored !== undefined) return { ignored };
  const applied: AppliedAction[] = [];
  for (const action of actions) applied.push(await applyAction(tx, provider, action));
  return { applied, isOptional: actions.every((action) => action.kind === 'cancellation' && !action.isFinal) };
}

/** Stores those orders of a failed event that can be parsed. */
export async function saveOrdersOfFailedEvent(tx: Tx, provider: Provider, message: Message): Promise<void> {
  const actions = tryParse(provider, message)?.actions ?? [];
  await saveFailedOrders(tx, provider, actions);
}

/** The reference that an event depends on. Null for an unreadable event, which is stored and fails when it is processed. */
export function findSubject(provider: Provider, message: Message): string | null {
  return tryParse(provider, message)?.subject ?? null;
}

export function getStoreType({ type: name }: Provider): StoreType {
  const type = getProviderType(name);
  if (type.kind !== 'commerce') throw new Error(`A provider of type ${name} is not a store.`);
  return type;
}

function tryParse(provider: Provider, message: Message): ParsedEvent | null {
  try {
    return parseStoreEvent(provider, message);
  } catch (error) {
    if (error instanceof UnreadableEvent || error instanceof BadSignature) return null;
    throw error;
  }
}

function parseStoreEvent(provider: Provider, { topic, payload }: Message): ParsedEvent {
  const settings = { config: readConfig(provider), isLive: provider.mode === 'live' };
  const event = getStoreType(provider).parseEvent(topic, parsePayload(payload), settings);
  for (const action of event.actions) validateAction(action);
  return event;
}
