// Creating an API key. Only members can, after a recent sign-in: a key that could create keys would survive its revocation.
import { z } from 'zod';
import type { Tx } from '../../../context.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampIn } from '../../../platform/http/declaration/fields.ts';
import { systemTime } from '../../../platform/lib/clock.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';
import { getProgram } from '../program.ts';
import { KeyScope, KeyWithSecret, keyName, readKey, requireFuture, requireRateLimit } from './api-key-shape.ts';
import { type IssuedKey, issueKey, type NewKey } from './issue-key.ts';
import { notifyOwners } from './notify-job.ts';

const maxKeys = 100;
const rateRange = 'must be a whole number from 1 to 9999999';

export const rateLimit = z.int(rateRange).min(1, rateRange).max(9_999_999, rateRange).nullable();

export const createApiKey = endpoint({
  id: 'apiKeys.create',
  route: 'POST /app/programs/:programId/api-keys',
  scope: 'write',
  requires: 'keys.write',
  isSensitive: true,
  isUserOnly: true,
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The key is returned once. It belongs to the member who created it. API keys can’t create keys. The owners of the program are ' +
    'notified by email.',
  body: z
    .object({
      name: keyName,
      scopes: z
        .array(KeyScope)
        .min(1, 'must not be empty')
        .transform((scopes) => [...new Set(scopes)].sort())
        .meta({ json: { type: 'array', minItems: 1, items: { type: 'string', enum: ['read', 'write'] } } }),
      expiresAt: timestampIn.nullable().default(null).describe('Null: the key does not expire.'),
      rateLimitPerMinute: rateLimit
        .default(null)
        .describe('Requests per minute, at most the limit of the installation; null for that limit.'),
    })
    .meta({ id: 'NewApiKey', example: { name: 'Web store', scopes: ['read', 'write'] } }),
  statuses: [201],
  hasSecretResponse: true,
  result: KeyWithSecret,
  errors: [{ status: 400, code: 'too_many_api_keys', when: `The program has ${maxKeys} active API keys. Revoke one first.` }],
  async handle(tx, { actor, body }) {
    const { programId } = actor;
    requireFuture(tx, body.expiresAt);
    requireRateLimit(tx, body.rateLimitPerMinute);
    const { keyId, apiKey } = await createKey(tx, { ...body, programId, actor });
    return { ...(await readKey(tx, programId, keyId)), key: apiKey };
  },
});

/** Issues a key and notifies the owners. Throws NotFound for an unknown program, and InvalidState if it has too many keys. */
export async function createKey(tx: Tx, key: NewKey): Promise<IssuedKey> {
  await requireRoom(tx, key.programId);
  const issued = await issueKey(tx, key);
  await notifyOwners(tx, { programId: key.programId, event: 'created', key, actor: key.actor });
  return issued;
}

/** Locks the program, so that simultaneous requests can't exceed the limit. */
async function requireRoom(tx: Tx, programId: string): Promise<void> {
  await getProgram(tx, programId, { lock: true });
  const now = systemTime(tx);
  const { present } = await tx.db
    .selectFrom('apiKeys')
    .select((row) => row.fn.countAll<number>().as('present'))
    .where('programId', '=', programId)
    .where('revokedAt', 'is', null)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .executeTakeFirstOrThrow();
  if (present >= maxKeys) throw new InvalidState('too_many_api_keys', `This program has ${maxKeys} active API keys. Revoke one first.`);
}
