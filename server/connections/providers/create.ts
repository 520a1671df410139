// Connecting an outside system. The first way to pay is the default one; who is the default changes under
// the lock of the program's row, so that two requests can't both choose.
import { z } from 'zod';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import { recordChange } from '../../platform/audit/record.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { line } from '../../platform/http/declaration/fields.ts';
import { Invalid } from '../../platform/lib/errors.ts';
import { Mode, type Provider, ProviderShape, toProvider } from './provider.ts';
import { missingSecret, readSettings, sealSecrets } from './settings.ts';
import { TypeName, typeOf } from './type.ts';

export const currencies = z
  .array(z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals'))
  .max(50)
  .transform((codes) => [...new Set(codes)])
  .meta({ json: { type: 'array', items: { type: 'string', pattern: '^[A-Z]{3}$' }, maxItems: 50 } });

export const createProvider = endpoint({
  id: 'providers.create',
  route: 'POST /v1/programs/:programId/providers',
  scope: 'write',
  tag: 'Providers',
  summary: 'Connect an outside system',
  description:
    'A way to pay (`manual`, `csv`, `paypal`, `wise`, `stripe_connect`, `external_webhook`) or a shop (`stripe`, `shopify`, `woocommerce`, ' +
    '`generic`). Secrets are kept sealed and never answered; one that we make ourselves is shown once, here, in `generatedSecrets`.',
  body: z
    .object({
      type: TypeName,
      name: line(100),
      mode: Mode.optional().describe("Default: the program's."),
      isDefault: z.boolean().optional().describe('Default: true for the first way to pay. Shops are never the default.'),
      currencies: currencies.optional().describe("Default: the program's."),
      config: z.record(z.string(), z.unknown()).default({}),
      secrets: z.record(z.string(), z.string()).default({}).describe('Write-only.'),
    })
    .meta({ id: 'NewProvider', example: { type: 'stripe', name: 'Our shop', secrets: { webhookSecret: 'whsec_4d1f0a9c8b7e' } } }),
  statuses: [201],
  hasSecretAnswer: true,
  result: ProviderShape.extend({
    generatedSecrets: z.record(z.string(), z.string()).describe('Secrets that were made for you. Copy them: they are not shown again.'),
  }).meta({ id: 'CreatedProvider' }),
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    const program = await getProgram(tx, programId, { lock: true });
    const { kind } = typeOf(body.type);
    if (kind === 'commerce' && body.isDefault) throw onlyPayouts();
    const generatedSecrets = missingSecret(body.type, body.secrets);
    const { config, secrets } = readSettings(body.type, { config: body.config, secrets: { ...body.secrets, ...generatedSecrets } });
    const isDefault = kind === 'payout' && (body.isDefault ?? !(await hasDefault(tx, programId)));
    if (isDefault) await clearDefault(tx, programId);
    const [id, now] = [tx.ids.uuid(), tx.clock.now()];
    const lastError = kind === 'commerce' ? withoutSecret(secrets) : null;
    const row: Provider = {
      ...{ programId, id, kind, type: body.type, name: body.name, status: lastError === null ? 'connected' : 'needs_attention' },
      ...{
        isDefault,
        mode: body.mode ?? program.mode,
        currencies: body.currencies ?? [program.currency],
        config: config as Provider['config'],
      },
      ...{ secrets: sealSecrets(tx, id, secrets), lastEventAt: null, lastError, reconciledAt: null, archivedAt: null },
      ...{ createdAt: now, updatedAt: now },
    };
    await tx.db
      .insertInto('providers')
      .values({ ...row, config: JSON.stringify(config) })
      .execute();
    await tx.db.insertInto('providerAddresses').values({ providerId: id, programId }).execute();
    const after = { kind, type: body.type, name: body.name, isDefault, mode: row.mode, config, secrets: Object.keys(secrets).sort() };
    await recordChange(tx, { programId, actor, action: 'provider.created', subjectId: id, after });
    return { ...toProvider(tx, row), generatedSecrets };
  },
});

/** What keeps a shop from being heard; null when nothing does. */
export function withoutSecret(secrets: Record<string, string>): string | null {
  return secrets.webhookSecret === undefined ? 'webhookSecret is not set: every event is refused until it is.' : null;
}

/** Nobody is the default any more. The program's row must be locked. */
export async function clearDefault(tx: Tx, programId: string): Promise<void> {
  await tx.db
    .updateTable('providers')
    .set({ isDefault: false, updatedAt: tx.clock.now() })
    .where('programId', '=', programId)
    .where('kind', '=', 'payout')
    .where('isDefault', '=', true)
    .execute();
}

/** 400 for a shop that should be the default. */
export function onlyPayouts(): Invalid {
  return new Invalid([{ path: ['isDefault'], message: 'must be false or left out: only a way to pay can be the default' }]);
}

async function hasDefault(tx: Tx, programId: string): Promise<boolean> {
  const providers = tx.db.selectFrom('providers').select('id').where('programId', '=', programId).where('kind', '=', 'payout');
  return (await providers.where('archivedAt', 'is', null).executeTakeFirst()) !== undefined;
}
