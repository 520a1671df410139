// What each kind of provider's events go through: how a delivery is checked, and what is made of an event.

import { openPayoutProvider, type Provider } from '../../connections/providers/provider.ts';
import { type Config, decryptSecrets } from '../../connections/providers/settings.ts';
import { BadSignature, type Delivery, type RailEvent } from '../../connections/rails/rail.ts';
import type { Context, Tx } from '../../context.ts';
import { toStorable } from '../../platform/lib/text.ts';
import { type Incoming, Unreadable } from '../commerce/act.ts';
import { type Done, keepRefusedOrders, performAct } from '../commerce/perform.ts';
import { readers } from '../commerce/read/readers.ts';
import { parsePayload } from '../commerce/read/signature.ts';
import { requireStorable } from '../commerce/storable.ts';

/** An event that is to be kept. `subject`: what it depends on. */
export type Arrived = Incoming & { subject: string | null };

/** Reads a delivery, outside of any transaction. Throws BadSignature. */
export async function readDelivery(ctx: Context, provider: Provider, delivery: Delivery): Promise<Arrived[]> {
  if (provider.kind === 'commerce') {
    const reader = readerOf(provider);
    const settings = { config: provider.config as Config, secrets: decryptSecrets(ctx, provider), isLive: provider.mode === 'live' };
    return reader.check(delivery, settings, ctx.clock).map((event) => storable({ ...event, subject: subjectOf(provider, event) }));
  }
  const { readEvent } = openPayoutProvider(ctx, provider);
  if (!readEvent) throw new BadSignature('malformed');
  const events = await readEvent(delivery);
  return events.map((event) => {
    const { id: externalId, topic, at: occurredAt, about } = event;
    return storable({
      externalId,
      topic,
      occurredAt,
      payload: JSON.stringify(event),
      subject: about?.paymentId ?? about?.reference ?? null,
    });
  });
}

const maxIdLength = 255;

/** An event in values that every column takes. Throws BadSignature for an id that is too long to be one. */
function storable({ externalId, topic, subject, occurredAt, ...event }: Arrived): Arrived {
  if (externalId === '' || externalId.length > maxIdLength) throw new BadSignature('malformed');
  const year = occurredAt?.getUTCFullYear() ?? Number.NaN;
  return {
    ...event,
    externalId: toStorable(externalId),
    topic: toStorable(topic.slice(0, 100)),
    subject: subject === null || subject.length > maxIdLength ? null : toStorable(subject),
    occurredAt: year >= 2000 && year <= 2100 ? occurredAt : null,
  };
}

/** What became of an event: all acts in one transaction. */
export type Handled = { ignored: string } | { done: Done[]; mayNeverCome: boolean };

/** Follows an event of a shop. Throws Unreadable for what can never be followed. */
export async function handleShopEvent(tx: Tx, provider: Provider, event: { topic: string; payload: string }): Promise<Handled> {
  const { acts, ignored } = readShopEvent(provider, event);
  if (ignored !== undefined) return { ignored };
  const done: Done[] = [];
  for (const act of acts) done.push(await performAct(tx, provider, act));
  return { done, mayNeverCome: acts.every((act) => act.kind === 'cancelled' && !act.isFinal) };
}

/** Keeps the orders of an event that was refused, as far as they can be read. */
export async function keepOrdersOf(tx: Tx, provider: Provider, event: { topic: string; payload: string }): Promise<void> {
  try {
    await keepRefusedOrders(tx, provider, readShopEvent(provider, event).acts);
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof BadSignature)) throw error;
  }
}

/** An event of a rail as it was kept. */
export function railEventOf(payload: string): RailEvent {
  const event = JSON.parse(payload) as RailEvent & { at: string | null };
  return { ...event, at: event.at === null ? null : new Date(event.at) };
}

/** What an event of a shop says. Throws Unreadable or BadSignature. */
function readShopEvent(provider: Provider, { topic, payload }: { topic: string; payload: string }) {
  const settings = { config: provider.config as Config, isLive: provider.mode === 'live' };
  const reading = readerOf(provider).read(topic, parsePayload(payload), settings);
  for (const act of reading.acts) requireStorable(act);
  return reading;
}

function readerOf({ type }: Provider) {
  const reader = readers[type];
  if (!reader) throw new Error(`A provider of type ${type} reports no orders.`);
  return reader;
}

/** Null for an event that can't be read: it is kept, and fails where somebody sees it. */
function subjectOf(provider: Provider, event: Incoming): string | null {
  try {
    return readShopEvent(provider, event).subject;
  } catch (error) {
    if (error instanceof Unreadable || error instanceof BadSignature) return null;
    throw error;
  }
}
