// The first call of every integration: which program this key belongs to (Contract §4.6).
import { z } from 'zod';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { ProgramShape, readProgramShape } from './program.ts';

const ApiKeyShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    prefix: z.string().describe('The start of the key, to recognise it by.'),
    lastFour: z.string(),
    scopes: z.array(z.enum(['read', 'write'])),
    mode: z.enum(['live', 'test']),
    createdAt: timestampOut,
    expiresAt: timestampOut.nullable(),
    lastUsedAt: timestampOut.nullable().describe('Noted once a minute.'),
  })
  .meta({ id: 'ApiKey' });

export const getMe = endpoint({
  id: 'me.get',
  route: 'GET /v1/me',
  scope: 'any',
  tag: 'Context',
  summary: 'Get the program of this key',
  description: 'Every other path needs the `programId` that this call returns.',
  statuses: [200],
  result: z.object({ programId: uuidOut, program: ProgramShape, apiKey: ApiKeyShape, apiVersion: z.literal('v1') }).meta({ id: 'Me' }),
  async handle(ctx, { actor }) {
    const program = await readProgramShape(ctx, actor.programId);
    const key = await ctx.db.selectFrom('apiKeys').selectAll().where('id', '=', actor.id).executeTakeFirstOrThrow();
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
