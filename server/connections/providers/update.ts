// Updating a provider. Settings are merged one by one, so that a secret can be replaced without knowing the others.
// Archiving is a change of `status` that erases the secrets; restoring needs them again.

import { isDeepStrictEqual } from 'node:util';
import { sql, type Updateable } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { type Difference, difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import type { Providers } from '../../platform/db/schema.gen.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, line } from '../../platform/http/declaration/fields.ts';
import { documentedAs } from '../../platform/http/openapi/schemas.ts';
import { Invalid, InvalidState } from '../../platform/lib/errors.ts';
import { clearDefault, currencies, describeConnection, rejectDefaultStore } from './create.ts';
import { describeSettingChanges } from './documented.ts';
import { announceProblem } from './needs-attention.ts';
import { providerPermissions, requireProviderPermission } from './permission.ts';
import {
  lockProvider,
  Mode,
  type Provider,
  ProviderShape,
  providerArchived,
  providerSlot,
  rejectArchived,
  toProvider,
} from './provider.ts';
import { requirePublicUrls } from './public-urls.ts';
import {
  type Config,
  decryptSecrets,
  encryptSecrets,
  mergeSettings,
  parseSettings,
  readConfig,
  requireKnownNames,
  requireSecretsForNewAddress,
  type Secrets,
} from './settings.ts';

const Update = z
  .object({
    name: line(100).optional(),
    status: z
      .enum(['connected', 'disabled', 'archived'])
      .optional()
      .describe(
        '`disabled`: no payouts are sent, and events are not processed until `status` is `connected` again. `archived`: events ' +
          'are rejected and the secrets are erased; to restore the provider, send the secrets again.',
      ),
    isDefault: z.boolean().optional(),
    mode: Mode.optional(),
    currencies: currencies.optional(),
    config: documentedAs(z.record(z.string(), z.unknown()), describeSettingChanges('config'))
      .optional()
      .describe('The settings to change; `null` removes a setting.'),
    secrets: documentedAs(z.record(z.string(), z.string().nullable()), describeSettingChanges('secrets'))
      .optional()
      .describe('The secrets to change; `null` removes a secret. Write-only.'),
  })
  .meta({ id: 'ProviderUpdate', example: { secrets: { webhookSecret: 'whsec_77aa51c0e2f9' } } });
type Update = z.output<typeof Update>;

export const updateProvider = endpoint({
  id: 'providers.update',
  route: 'PATCH /v1/programs/:programId/providers/:id',
  scope: 'write',
  requires: providerPermissions,
  isSensitive: true,
  movesMoney: true,
  tag: 'Providers',
  summary: 'Update a provider',
  description: 'Omitted fields keep their value; `config` and `secrets` are merged. The type never changes.',
  path: { id: providerSlot },
  body: Update,
  statuses: [200],
  result: ProviderShape,
  errors: [
    {
      status: 400,
      code: 'payouts_open',
      when: 'The provider has open payouts. Cancel them, or wait until they are paid, then archive it.',
      facts: z.object({ open: countOut }),
    },
    providerArchived,
  ],
  prepare: requirePublicUrls,
  async handle(tx, { actor, params, body }) {
    const { programId } = actor;
    if (body.isDefault !== undefined) await getProgram(tx, programId, { lock: true });
    const before = await lockProvider(tx, programId, params.id);
    await requireProviderPermission(tx, actor, before.kind);
    if (body.isDefault && before.kind !== 'payout') throw rejectDefaultStore();
    requireKnownNames(before.type, body);
    const change = body.status === 'archived' ? await planArchive(tx, before, body) : planChange(tx, before, body);
    if (!change) return toProvider(tx, before);
    if (body.isDefault) await clearDefault(tx, programId);
    const after = await tx.db
      .updateTable('providers')
      .set({ ...change.columns, updatedAt: tx.clock.now() })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'provider.updated', subjectId: before.id, ...change.audited });
    await announceProblem(tx, { programId, actor }, { before, after });
    return toProvider(tx, after);
  },
});

type Settings = { config: Config; secrets: Secrets };
type Fields = { name: string; status: string; isDefault: boolean; mode: string; currencies: string[]; config: Config };
type Change = { columns: Updateable<Providers>; audited: Difference<Fields & { secrets: string[] }> };

/** The columns that change, or null if nothing does. */
function planChange(tx: Tx, before: Provider, { config, secrets, ...given }: Update): Change | null {
  const isArchived = before.status === 'archived';
  if (isArchived && given.status === undefined) throw rejectArchived();
  const current = { config: readConfig(before), secrets: decryptSecrets(tx, before) };
  const settings = parseSettings(before.type, {
    config: mergeSettings(current.config, config),
    secrets: mergeSettings(current.secrets, secrets),
  });
  requireSecretsForNewAddress(current, settings.config, secrets);
  const hasNewSecrets = !isDeepStrictEqual(settings.secrets, current.secrets);
  const connection = deriveConnection(before, given.status, { hasNewSecrets, secrets: settings.secrets });
  const change = compare(before, current, { ...given, status: connection.status, config: config && settings.config });
  if (!change && !hasNewSecrets) return null;
  const { config: newConfig, ...fields } = change?.after ?? {};
  const columns: Updateable<Providers> = { ...fields, lastError: connection.lastError };
  if (newConfig) columns.config = JSON.stringify(newConfig);
  if (hasNewSecrets) columns.secrets = encryptSecrets(tx, before.id, settings.secrets);
  const secretNames = hasNewSecrets ? { secrets: Object.keys(secrets ?? {}).sort() } : {};
  return { columns, audited: { before: change?.before ?? {}, after: { ...change?.after, ...secretNames } } };
}

/** Archiving, together with changes of other fields. Null if nothing changes. */
async function planArchive(tx: Tx, before: Provider, { config, secrets, isDefault, ...given }: Update): Promise<Change | null> {
  const unusable = Object.entries({ config, secrets, isDefault }).filter(([, value]) => value !== undefined && value !== false);
  if (unusable.length > 0) throw new Invalid(unusable.map(([name]) => ({ path: [name], message: 'must be omitted when archiving' })));
  const open = await countOpenPayouts(tx, before);
  if (open > 0)
    throw new InvalidState('payouts_open', `This provider has open payouts (${open}). Cancel them, or wait until they are paid.`, { open });
  const change = compare(before, { config: readConfig(before), secrets: {} }, { ...given, isDefault: false });
  if (!change) return null;
  const { config: _, ...fields } = change.after;
  return { columns: { ...fields, secrets: null }, audited: change };
}

function compare(
  before: Provider,
  { config }: Settings,
  given: { [K in keyof Fields]?: Fields[K] | undefined },
): Difference<Fields> | null {
  const { name, status, isDefault, mode, currencies } = before;
  return difference<Fields>({ name, status, isDefault, mode, currencies, config }, given);
}

type Connection = { status: string | undefined; lastError: string | null | undefined };

/** The status after the change: as requested, except that a store needs its webhook secret. */
function deriveConnection(
  before: Provider,
  given: Update['status'],
  { hasNewSecrets, secrets }: { hasNewSecrets: boolean; secrets: Secrets },
): Connection {
  const isDisabled = (given ?? before.status) === 'disabled';
  const isAffected = before.status === 'archived' || (hasNewSecrets && before.kind === 'commerce');
  if (isDisabled || !isAffected) return { status: given, lastError: undefined };
  return describeConnection(before.kind, secrets);
}

async function countOpenPayouts(tx: Tx, { programId, id }: Provider): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from payouts as payout
    join payout_batches as batch on batch.program_id = payout.program_id and batch.id = payout.batch_id
    where payout.program_id = ${programId} and batch.provider_id = ${id} and payout.status in ('queued', 'sending', 'sent', 'unknown')`.execute(
    tx.db,
  );
  return rows[0]?.open ?? 0;
}
