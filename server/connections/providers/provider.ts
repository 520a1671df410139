// An outside system that a program is connected with: a way to pay its affiliates, or a shop that reports
// orders. Whoever needs one gets it here, and says here how it went.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context, Tx } from '../../context.ts';
import type { Providers } from '../../platform/db/schema.gen.ts';
import type { Slot } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import type { Rail } from '../rails/rail.ts';
import { type Config, openSecrets } from './settings.ts';
import { Kind, partsOf, TypeName, typeOf } from './type.ts';

export const Status = z.enum(['connected', 'needs_attention', 'disabled']).meta({ id: 'ProviderStatus' });
export const Mode = z.enum(['live', 'test']).meta({ id: 'ProviderMode' });

export const ProviderShape = z
  .object({
    id: uuidOut,
    kind: Kind,
    type: TypeName,
    name: z.string(),
    status: Status,
    isDefault: z.boolean().describe('Payouts go this way unless a dispatch says otherwise.'),
    mode: Mode,
    capabilities: z.array(z.string()),
    currencies: z.array(z.string()),
    config: z.record(z.string(), z.unknown()),
    hasSecrets: z.array(z.string()).describe('The secrets that are set. What they are never leaves.'),
    eventsUrl: z.string().describe('Where the outside system sends its events.'),
    lastEventAt: timestampOut.nullable(),
    lastError: z.string().nullable(),
    createdAt: timestampOut,
    updatedAt: timestampOut,
  })
  .meta({ id: 'Provider' });

export type Provider = Selectable<Providers>;

/** `:id` of a provider; an archived one is gone. */
export const providerSlot: Slot = {
  ...idSlot('providers', 'The id of the provider.'),
  async exists(ctx, programId, id) {
    const providers = ctx.db.selectFrom('providers').select('id').where('programId', '=', programId).where('archivedAt', 'is', null);
    return (await providers.where('id', '=', id).executeTakeFirst()) !== undefined;
  },
};

/** The provider with this id. Throws NotFound, also for an archived one. In a transaction it stays as long as that lasts. */
export async function getProvider(ctx: Pick<Context, 'db'>, programId: string, id: string): Promise<Provider> {
  const providers = ctx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', id);
  const found = await providers.where('archivedAt', 'is', null).forKeyShare().executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** The rail of a payout provider, with its secrets opened. */
export function openRail(ctx: Pick<Context, 'vault' | 'http' | 'clock' | 'config'>, provider: Provider): Rail {
  const type = typeOf(provider.type);
  if (type.kind !== 'payout') throw new Error(`A provider of type ${provider.type} pays nobody.`);
  return type.rail.open({
    config: provider.config as Config,
    secrets: openSecrets(ctx, provider),
    http: ctx.http,
    clock: ctx.clock,
    eventsUrl: eventsUrlOf(ctx, provider.id),
  });
}

type Note = { lastError?: string | null; status?: 'connected' | 'needs_attention'; lastEventAt?: Date; reconciledAt?: Date };

/** Keeps how it went. A provider that a person turned off stays off. `lastError` must hold nothing secret. */
export async function noteProvider(
  ctx: Pick<Context, 'db'>,
  { programId, id }: { programId: string; id: string },
  { status, lastError, ...times }: Note,
): Promise<void> {
  await ctx.db
    .updateTable('providers')
    .set({
      ...times,
      ...(lastError !== undefined && { lastError: lastError?.slice(0, 500) ?? null }),
      ...(status !== undefined && { status: sql<string>`case when status = 'disabled' then status else ${status} end` }),
    })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute();
}

/** Shows on connected providers why their last delivery was refused. */
export async function noteRefusedDeliveries(
  tx: Tx,
  refusals: readonly { providerId: string; programId: string; reason: string }[],
): Promise<void> {
  await sql`
    update providers as provider set last_error = 'A delivery was refused: ' || refused.reason || '.'
    from (select * from unnest(${refusals.map((row) => row.programId)}::uuid[], ${refusals.map((row) => row.providerId)}::uuid[],
      ${refusals.map((row) => row.reason)}::text[]) as given (program_id, id, reason)) as refused
    where provider.program_id = refused.program_id and provider.id = refused.id and provider.status = 'connected'`.execute(tx.db);
}

/** Locked for a change that may archive it: nothing new can refer to it meanwhile. Throws NotFound. */
export async function lockProvider(tx: Tx, programId: string, id: string): Promise<Provider> {
  const providers = tx.db.selectFrom('providers').selectAll().where('programId', '=', programId).where('id', '=', id);
  const found = await providers.where('archivedAt', 'is', null).forUpdate().executeTakeFirst();
  if (!found) throw new NotFound();
  return found;
}

/** A provider as callers see it. */
export function toProvider(ctx: Pick<Context, 'vault' | 'config'>, row: Provider): z.input<typeof ProviderShape> {
  return {
    ...row,
    kind: Kind.parse(row.kind),
    type: TypeName.parse(row.type),
    status: Status.parse(row.status),
    mode: Mode.parse(row.mode),
    config: row.config as Config,
    capabilities: [...partsOf(typeOf(row.type)).capabilities],
    hasSecrets: Object.keys(openSecrets(ctx, row)).sort(),
    eventsUrl: eventsUrlOf(ctx, row.id),
    lastEventAt: row.lastEventAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function eventsUrlOf({ config: { publicUrl, host, port } }: Pick<Context, 'config'>, id: string): string {
  return `${publicUrl ?? `http://${host}:${port}`}/v1/providers/${id}/events`;
}
