// An external system that a program is connected to: a payout provider, or a store that reports orders. Other folders
// open it here, and record here how a call or delivery went.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Providers } from '../../platform/db/schema.gen.ts';
import { createdAtOut, currencyOut, timestampOut, updatedAtOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { documentedAs } from '../../platform/http/openapi/schemas.ts';
import { InvalidState, NotFound } from '../../platform/lib/errors.ts';
import { getPublicUrl } from '../../platform/lib/network/public-url.ts';
import type { Rail } from '../rails/rail.ts';
import { describeProvider } from './documented.ts';
import { getProviderType, ProviderKind, ProviderTypeName } from './provider-types.ts';
import { decryptSecrets, readConfig } from './settings.ts';

export const ProviderStatus = z
  .enum(['connected', 'needs_attention', 'disabled', 'archived'])
  .describe('Whether the provider is in use.')
  .meta({ id: 'ProviderStatus' });
export const Mode = z
  .enum(['live', 'test'])
  .describe('Whether the provider moves real money or is a sandbox.')
  .meta({ id: 'ProviderMode' });

export const providerExample = {
  id: '01980a51-3c1d-7b52-8f0e-6a1d2c9e4b70',
  kind: 'commerce',
  type: 'stripe',
  name: 'Fern & Field store',
  status: 'connected',
  isDefault: false,
  mode: 'live',
  capabilities: ['orders', 'refunds', 'disputes', 'subscriptions', 'products', 'coupons'],
  currencies: ['USD'],
  config: { apiUrl: 'https://api.stripe.com' },
  configuredSecrets: ['apiKey', 'webhookSecret'],
  eventsUrl: 'https://tributary.example/v1/providers/01980a51-3c1d-7b52-8f0e-6a1d2c9e4b70/events',
  lastEventAt: '2026-11-20T16:04:12.000Z',
  lastError: null,
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
};

/** What a provider has whatever its type. */
export const ProviderFields = z.object({
  id: uuidOut.describe('The id of the provider.'),
  kind: ProviderKind,
  type: ProviderTypeName,
  name: z.string().describe('The name that the program gave the provider.'),
  status: ProviderStatus.describe('`needs_attention`: the last test failed, or a required secret is missing; see `lastError`.'),
  isDefault: z.boolean().describe('Whether this provider sends payouts if the dispatch request does not specify a provider.'),
  mode: Mode,
  capabilities: z.array(z.string()).describe('What the external system supports, such as `payouts`, `orders` or `refunds`.'),
  currencies: z.array(currencyOut).describe('The currencies that the provider is used for.'),
  config: z.record(z.string(), z.unknown()),
  configuredSecrets: z.array(z.string()),
  eventsUrl: z.string().describe('The URL to which the external system sends its events.'),
  lastEventAt: timestampOut.nullable().describe('When the last event of the external system was received.'),
  lastError: z.string().nullable().describe('Why the last call or delivery failed; null once one succeeds.'),
  createdAt: createdAtOut,
  updatedAt: updatedAtOut,
});

export const ProviderShape = documentedAs(
  ProviderFields.meta({ example: providerExample }),
  describeProvider('Provider', ProviderFields.shape, providerExample),
);

export type Provider = Selectable<Providers>;

export const providerSlot = idSlot('providers', 'The id of the provider.');

export const providerArchived = {
  status: 400,
  code: 'provider_archived',
  when: 'The provider is archived. To restore it, change its `status`.',
} as const;

export function rejectArchived(): InvalidState {
  return new InvalidState(providerArchived.code, 'This provider is archived. To restore it, change its `status`.');
}

/** The provider with this id, archived or not. Throws NotFound. */
export async function getProvider(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<Provider> {
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', id);
  const found = await providers.executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** As `getProvider`, to connect with it. In a transaction it can't be archived until the commit. Throws InvalidState if it is archived. */
export async function getUsableProvider(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<Provider> {
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', id);
  const found = await providers.forKeyShare().executeTakeFirst();
  if (!found) throw new NotFound();
  if (found.status === 'archived') throw rejectArchived();
  return found;
}

/** Locks a provider against changes, and against new references to it. Throws NotFound. */
export async function lockProvider(tx: Tx, programId: string, id: string): Promise<Provider> {
  const providers = tx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', id);
  const found = await providers.forUpdate().executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** The connection to a payout provider, with its secrets decrypted. */
export function openPayoutProvider(ctx: Pick<Context, 'vault' | 'http' | 'clock' | 'config'>, provider: Provider): Rail {
  const type = getProviderType(provider.type);
  if (type.kind !== 'payout') throw new Error(`A provider of type ${provider.type} sends no payouts.`);
  return type.open({
    config: readConfig(provider),
    secrets: decryptSecrets(ctx, provider),
    http: ctx.http,
    clock: type.followsProgramClock ? ctx.clock : (ctx.clock.system ?? ctx.clock),
    eventsUrl: buildEventsUrl(ctx, provider.id),
  });
}

type Health = { lastError?: string | null; status?: 'connected' | 'needs_attention'; lastEventAt?: Date; reconciledAt?: Date };

/** Records how a call or delivery went. A disabled or archived provider keeps its status. `lastError` must contain no secret. */
export async function recordProviderHealth(
  ctx: Pick<Context, 'db'>,
  { programId, id }: { programId: string; id: string },
  { status, lastError, lastEventAt, reconciledAt }: Health,
): Promise<void> {
  await ctx.db
    .updateTable('providers')
    .set({
      lastEventAt,
      reconciledAt,
      lastError: lastError?.slice(0, 500) ?? lastError,
      status: status && sql<string>`case when status in ('disabled', 'archived') then status else ${status} end`,
    })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
}

/** Shows on connected providers why their last delivery was rejected. */
export async function recordRejectedDeliveries(
  tx: Tx,
  rejected: readonly { providerId: string; programId: string; reason: string }[],
): Promise<void> {
  await sql`
    update providers as provider set last_error = 'A delivery was rejected: ' || rejected.reason || '.'
    from (select * from unnest(${rejected.map((row) => row.programId)}::uuid[], ${rejected.map((row) => row.providerId)}::uuid[],
      ${rejected.map((row) => row.reason)}::text[]) as given (program_id, id, reason)) as rejected
    where provider.program_id = rejected.program_id and provider.id = rejected.id and provider.status = 'connected'`.execute(tx.db);
}

export function toProvider(ctx: Pick<Context, 'vault' | 'config'>, row: Provider): z.input<typeof ProviderShape> {
  return {
    ...row,
    kind: ProviderKind.parse(row.kind),
    type: ProviderTypeName.parse(row.type),
    status: ProviderStatus.parse(row.status),
    mode: Mode.parse(row.mode),
    config: readConfig(row),
    capabilities: [...getProviderType(row.type).capabilities],
    configuredSecrets: Object.keys(decryptSecrets(ctx, row)).sort(),
    eventsUrl: buildEventsUrl(ctx, row.id),
    lastEventAt: row.lastEventAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function buildEventsUrl({ config: { publicUrl, host, port } }: Pick<Context, 'config'>, id: string): string {
  return `${getPublicUrl({ publicUrl, host, port })}/v1/providers/${id}/events`;
}
