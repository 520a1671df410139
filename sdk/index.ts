// What `@tributary/client` exports.
export { type Client, createClient } from './client.ts';
export { type FieldError, TributaryError } from './errors.ts';
export type { List } from './list.ts';
export type { NoEffect, Outcome, Success } from './outcome.ts';
export type * from './resources.gen.ts';
export type { CallOptions, ClientOptions } from './send.ts';
export type * from './types.gen.ts';
export { type WebhookHeaders, WebhookVerificationError, webhooks } from './webhooks.ts';
