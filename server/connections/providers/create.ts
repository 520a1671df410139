// Connecting an external system. The first payout provider becomes the default; the default changes under the lock of
// the program's row, so that simultaneous requests leave one.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { documentedAs } from '../../platform/http/openapi/schemas.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { describeNewProvider, describeProvider } from './documented.ts';
import { providerPermissions, requireProviderPermission } from './permission.ts';
import { Mode, ProviderFields, ProviderShape, providerExample, toProvider } from './provider.ts';
import { getProviderType, listTypeNames, ProviderTypeName } from './provider-types.ts';
import { requirePublicUrls } from './public-urls.ts';
import { encryptSecrets, generateMissingSecret, parseSettings, requireKnownNames, type Secrets } from './settings.ts';

export const currencies = z
  .array(z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in upper case'))
  .max(50)
  .transform((codes) => [...new Set(codes)])
  .meta({ json: { type: 'array', items: { type: 'string', pattern: '^[A-Z]{3}$' }, maxItems: 50 } });

const generated = {
  generatedSecrets: z
    .record(z.string(), z.string())
    .describe('Secrets that Tributary generated. Store them now: they are not returned again.'),
};
const createdExample = { ...providerExample, generatedSecrets: {} };

const CreatedProvider = documentedAs(
  ProviderShape.extend(generated).meta({ example: createdExample }),
  describeProvider('CreatedProvider', { ...ProviderFields.shape, ...generated }, createdExample),
);

const newProviderExample = { type: 'stripe', name: 'Our store', secrets: { webhookSecret: 'whsec_4d1f0a9c8b7e' } };

const NewProvider = z.object({
  type: ProviderTypeName,
  name: line(100).describe('A name for members of the program.'),
  mode: Mode.optional().describe("Whether it moves real money. Default: the program's mode."),
  isDefault: z.boolean().optional().describe('Default: true for the first payout provider. A store is never the default.'),
  currencies: currencies.optional().describe("The currencies that the provider is used for. Default: the program's."),
  config: z.record(z.string(), z.unknown()).default({}),
  secrets: z.record(z.string(), z.string()).default({}),
});

export const createProvider = endpoint({
  id: 'providers.create',
  route: 'POST /v1/programs/:programId/providers',
  scope: 'write',
  requires: providerPermissions,
  isSensitive: true,
  movesMoney: true,
  tag: 'Providers',
  summary: 'Connect a provider',
  description:
    `A payout provider (${listTypeNames('payout')}) or a store (${listTypeNames('commerce')}). Secrets are encrypted and never ` +
    'returned; a generated secret is returned only once, in `generatedSecrets`.',
  body: documentedAs(
    NewProvider.meta({ example: newProviderExample }),
    describeNewProvider('NewProvider', NewProvider.shape, newProviderExample),
  ),
  statuses: [201],
  hasSecretResponse: true,
  result: CreatedProvider,
  prepare: requirePublicUrls,
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const program = await getProgram(tx, programId, { lock: true });
    const { kind } = getProviderType(body.type);
    if (body.type === 'simulated' && program.mode !== 'test')
      throw new Invalid([{ path: ['type'], message: 'must not be `simulated` in a live program: no payment would be made' }]);
    await requireProviderPermission(tx, actor, kind);
    if (kind === 'commerce' && body.isDefault) throw rejectDefaultStore();
    requireKnownNames(body.type, body);
    const generatedSecrets = generateMissingSecret(body.type, body.secrets);
    const { config, secrets } = parseSettings(body.type, { config: body.config, secrets: { ...body.secrets, ...generatedSecrets } });
    const isDefault = kind === 'payout' && (body.isDefault ?? !(await hasPayoutProvider(tx, programId)));
    if (isDefault) await clearDefault(tx, programId);
    const [id, now] = [tx.ids.uuid(), tx.clock.now()];
    const row = await tx.db
      .insertInto('providers')
      .values({
        programId,
        id,
        kind,
        type: body.type,
        name: body.name,
        ...describeConnection(kind, secrets),
        isDefault,
        mode: body.type === 'simulated' ? 'test' : (body.mode ?? program.mode),
        programMode: body.type === 'simulated' ? 'test' : null,
        currencies: body.currencies ?? [program.currency],
        config: JSON.stringify(config),
        secrets: encryptSecrets(tx, id, secrets),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx.db.insertInto('providerAddresses').values({ providerId: id, programId }).execute();
    const after = { kind, type: body.type, name: body.name, isDefault, mode: row.mode, config, secrets: Object.keys(secrets).sort() };
    await recordChange(tx, { programId, actor, action: 'provider.created', subjectId: id, after });
    return { ...toProvider(tx, row), generatedSecrets };
  },
});

type Connection = { status: 'connected' | 'needs_attention'; lastError: string | null };

/** The status that follows only from the secrets: a store without a webhook secret can't deliver events. */
export function describeConnection(kind: string, { webhookSecret }: Secrets): Connection {
  if (kind === 'payout' || webhookSecret !== undefined) return { status: 'connected', lastError: null };
  return { status: 'needs_attention', lastError: 'The secret that signs events is not set: all events are rejected.' };
}

/** Removes the default, before another provider becomes it. The program's row must be locked. */
export async function clearDefault(tx: Tx, programId: string): Promise<void> {
  await tx.db
    .updateTable('providers')
    .set({ isDefault: false, updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('kind', '=', 'payout')
    .where('isDefault', '=', true)
    .execute();
}

export function rejectDefaultStore(): Invalid {
  return new Invalid([{ path: ['isDefault'], message: 'must be false or omitted: only a payout provider can be the default' }]);
}

async function hasPayoutProvider(tx: Tx, programId: string): Promise<boolean> {
  const providers = tx.db.selectFrom('providers').select('id').where('programId', '=', programId).where('kind', '=', 'payout');
  return (await providers.where('status', '<>', 'archived').executeTakeFirst()) !== undefined;
}
