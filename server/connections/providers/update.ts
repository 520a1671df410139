// Changing a provider, and archiving it. Settings are merged one by one, so that a secret can be replaced
// without knowing the others.
import { sql } from 'kysely';
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { difference } from '../../platform/audit/difference.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { InvalidState } from '../../platform/lib/errors.ts';
import { clearDefault, currencies, onlyPayouts, withoutSecret } from './create.ts';
import { lockProvider, Mode, type Provider, ProviderShape, providerSlot, toProvider } from './provider.ts';
import { type Config, checkAddress, merged, openSecrets, readSettings, sealSecrets } from './settings.ts';

const Update = z
  .object({
    name: line(100).optional(),
    status: z.enum(['connected', 'disabled']).optional().describe('A disabled provider pays nobody, and its events wait.'),
    isDefault: z.boolean().optional(),
    mode: Mode.optional(),
    currencies: currencies.optional(),
    config: z.record(z.string(), z.unknown()).optional().describe('Single settings; `null` removes one.'),
    secrets: z.record(z.string(), z.string().nullable()).optional().describe('Single secrets; `null` removes one. Write-only.'),
  })
  .meta({ id: 'ProviderUpdate', example: { secrets: { webhookSecret: 'whsec_77aa51c0e2f9' } } });

export const updateProvider = endpoint({
  id: 'providers.update',
  route: 'PATCH /v1/programs/:programId/providers/:id',
  scope: 'write',
  tag: 'Providers',
  summary: 'Update a provider',
  description: 'Omitted fields are left untouched; `config` and `secrets` are merged. The type never changes.',
  path: { id: providerSlot },
  body: Update,
  statuses: [200],
  result: ProviderShape,
  async handle(tx, { actor, params, body: { config, secrets, isDefault, ...given } }) {
    const { programId } = actor;
    if (isDefault !== undefined) await getProgram(tx, programId, { lock: true });
    const before = await lockProvider(tx, programId, params.id);
    if (isDefault && before.kind !== 'payout') throw onlyPayouts();
    const present = { config: before.config as Config, secrets: openSecrets(tx, before) };
    const read = readSettings(before.type, { config: merged(present.config, config), secrets: merged(present.secrets, secrets) });
    checkAddress(present, read.config, secrets);
    const hasNewSecrets = difference({ all: present.secrets }, { all: read.secrets }) !== null;
    const change = difference({ ...before, config: present.config }, { ...given, isDefault, config: config && read.config });
    if (!change && !hasNewSecrets) return toProvider(tx, before);
    if (isDefault) await clearDefault(tx, programId);
    const { config: _, ...fields } = change?.after ?? {};
    const standing = before.kind === 'commerce' && hasNewSecrets ? heardAgain(before, given.status, read.secrets) : {};
    const after = await tx.db
      .updateTable('providers')
      .set({
        ...standing,
        ...fields,
        ...(config && { config: JSON.stringify(read.config) }),
        ...(hasNewSecrets && { secrets: sealSecrets(tx, before.id, read.secrets) }),
        updatedAt: tx.clock.now(),
      })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const named = hasNewSecrets ? { secrets: Object.keys(secrets ?? {}).sort() } : {};
    const audited = { before: change?.before ?? {}, after: { ...change?.after, ...named } };
    await recordChange(tx, { programId, actor, action: 'provider.updated', subjectId: before.id, ...audited });
    return toProvider(tx, after);
  },
});

/** A shop whose secret was set is connected, one whose secret was taken away isn't. */
function heardAgain({ status }: Provider, given: string | undefined, secrets: Record<string, string>): Partial<Provider> {
  if (status === 'disabled' && given === undefined) return {};
  const lastError = withoutSecret(secrets);
  return { lastError, status: lastError === null ? 'connected' : 'needs_attention' };
}

export const archiveProvider = endpoint({
  id: 'providers.archive',
  route: 'DELETE /v1/programs/:programId/providers/:id',
  scope: 'write',
  tag: 'Providers',
  summary: 'Archive a provider',
  description: 'Its events are refused from now on and its secrets are forgotten. What it did stays.',
  path: { id: providerSlot },
  statuses: [200],
  result: ProviderShape,
  errors: [{ status: 400, code: 'payouts_open', when: 'Payouts of this provider are still open. Wait for them, or cancel them first.' }],
  async handle(tx, { actor, params }) {
    const { programId } = actor;
    const before = await lockProvider(tx, programId, params.id);
    const open = await openPayouts(tx, before);
    if (open > 0)
      throw new InvalidState('payouts_open', `This provider has ${open} open payouts. Cancel them, or wait until they are paid.`);
    const now = tx.clock.now();
    const after = await tx.db
      .updateTable('providers')
      .set({ isDefault: false, status: 'disabled', secrets: null, archivedAt: now, updatedAt: now })
      .where('programId', '=', programId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(tx, { programId, actor, action: 'provider.archived', subjectId: before.id, before: { name: before.name } });
    return toProvider(tx, after);
  },
});

async function openPayouts(tx: Tx, { programId, id }: Provider): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from payouts as payout
    join payout_batches as batch on batch.program_id = payout.program_id and batch.id = payout.batch_id
    where payout.program_id = ${programId} and batch.provider_id = ${id} and payout.status in ('queued', 'sending', 'sent', 'unknown')`.execute(
    tx.db,
  );
  return rows[0]?.open ?? 0;
}
