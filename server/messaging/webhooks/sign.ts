import { Webhook } from 'standardwebhooks';

/** The headers of a signed delivery, as Standard Webhooks defines them: one signature per secret. */
export function signWebhook(secrets: readonly string[], { id, at, body }: { id: string; at: Date; body: string }): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
