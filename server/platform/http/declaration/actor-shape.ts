import { z } from 'zod';
import type { Actor } from '../../lib/actor.ts';

export const actorKinds = ['api_key', 'user', 'provider', 'schedule', 'command'] as const satisfies readonly Actor['kind'][];

/** Who or what performed an action, in responses and stored rows. */
/** Who did something, in examples. */
export const actorExample = { kind: 'api_key', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14' } as const;

export const ActorShape = z
  .object({
    kind: z.enum(actorKinds),
    id: z.string().describe('The id of the API key, user or provider, or the name of the schedule or command.'),
  })
  .meta({ id: 'Actor', example: actorExample });

/** An actor with the name of the user, API key or provider; null for schedules, commands, and those that no longer exist. */
export const NamedActor = ActorShape.extend({ name: z.string().nullable() }).meta({
  id: 'NamedActor',
  example: { kind: 'user', id: '01980a4e-8c11-7f02-b3a5-6d0e9a7c2f14', name: 'Dana Calder' },
});
