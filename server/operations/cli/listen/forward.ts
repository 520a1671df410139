// Sends an event as a webhook delivers it: the same body, the same headers, signed with a secret.
import { signWebhook } from '../../../messaging/webhooks/sign.ts';
import type { Event } from './follow-events.ts';

export type Forwarded = { isAccepted: boolean; outcome: string };

const timeoutMs = 30_000;

/** Never throws: an address that does not respond must not end the command. */
export async function forward(event: Event, { url, secret }: { url: string; secret: string }): Promise<Forwarded> {
  const body = JSON.stringify(toBody(event));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tributary-Webhooks',
    ...signWebhook([secret], { id: event.id, at: new Date(), body }),
  };
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return { isAccepted: response.ok, outcome: `${response.status} ${response.statusText}`.trim() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { isAccepted: false, outcome: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** The body of a webhook: `timestamp` instead of `createdAt`, and `previous` only with changes. */
function toBody({ createdAt, previous, ...event }: Event): Record<string, unknown> {
  const body = { ...event, timestamp: createdAt };
  return previous === null ? body : { ...body, previous };
}
