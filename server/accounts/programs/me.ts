// The first call of every integration: the program that the API key belongs to (Contract §4.6).
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ApiKeys } from '../../platform/db/schema.gen.ts';
import { readTogether } from '../../platform/db/statements/pipeline.ts';
import { plainSql } from '../../platform/db/statements/plain-sql.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { countOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { ProgramShape, programExample, readProgramShape } from './program.ts';

const ApiKeyShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    prefix: z.string().describe('The first characters of the key, which identify it.'),
    lastFour: z.string(),
    scopes: z.array(z.enum(['read', 'write'])),
    mode: z.enum(['live', 'test']),
    createdAt: timestampOut,
    expiresAt: timestampOut.nullable(),
    lastUsedAt: timestampOut.nullable().describe('Updated at most once a minute.'),
    rateLimitPerMinute: countOut.nullable().describe('Requests per minute for this key; null for the default of the installation.'),
  })
  .meta({ id: 'ApiKey' });

const apiKeyExample = {
  id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14',
  name: 'Web store',
  prefix: 'trb_live_9Kd2',
  lastFour: 'x7Qm',
  scopes: ['read', 'write'],
  mode: 'live',
  createdAt: '2026-03-02T09:12:44.000Z',
  expiresAt: null,
  lastUsedAt: '2026-11-20T16:40:00.000Z',
  rateLimitPerMinute: null,
};

export const getMe = endpoint({
  id: 'me.get',
  route: 'GET /v1/me',
  scope: 'any',
  isKeyOnly: true,
  coalesces: true,
  tag: 'Program',
  summary: "Get the API key's program",
  description: 'Most other paths require the `programId` that this request returns.',
  statuses: [200],
  result: z.object({ programId: uuidOut, program: ProgramShape, apiKey: ApiKeyShape, apiVersion: z.literal('v1') }).meta({
    id: 'Me',
    example: { programId: programExample.id, program: programExample, apiKey: apiKeyExample, apiVersion: 'v1' },
  }),
  async handle(ctx, { actor }) {
    const [program, key] = await readTogether(ctx.db, (db) => Promise.all([readProgramShape({ db }, actor.programId), readKey(db, actor)]));
    return {
      programId: program.id,
      program,
      apiKey: {
        ...key,
        scopes: key.scopes.map((scope) => (scope === 'write' ? ('write' as const) : ('read' as const))),
        mode: program.mode,
        createdAt: key.createdAt.toISOString(),
        expiresAt: key.expiresAt?.toISOString() ?? null,
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      },
      apiVersion: 'v1' as const,
    };
  },
});

async function readKey(db: Context['db'], { programId, id }: { programId: string; id: string }): Promise<Selectable<ApiKeys>> {
  const { rows } = await plainSql<Selectable<ApiKeys>>`
    select * from api_keys where program_id = ${programId} and id = ${id}`.execute(db);
  const [key] = rows;
  if (!key) throw new NotFound();
  return key;
}
