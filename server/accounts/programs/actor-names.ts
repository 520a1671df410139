// The names of actors, for people: users by their name, API keys and providers by theirs.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { ActorShape, type NamedActor } from '../../platform/http/declaration/actor-shape.ts';
import { canonicalUuid } from '../../platform/lib/ids.ts';

type Stored = { kind: string; id: string };

/** Looks up the names of these actors. Returns a function that adds its name to each of them. */
export async function findActorNames(
  ctx: Pick<Context, 'db'>,
  programId: string,
  actors: readonly Stored[],
): Promise<(actor: Stored) => z.input<typeof NamedActor>> {
  const idsOf = (kind: string) => [
    ...new Set(actors.filter((actor) => actor.kind === kind && canonicalUuid(actor.id)).map(({ id }) => id)),
  ];
  const { rows } = await sql<{ id: string; name: string }>`
    select id::text, name from users where id = any(${idsOf('user')}::uuid[])
    union all
    select id::text, name from api_keys where program_id = ${programId} and id = any(${idsOf('api_key')}::uuid[])
    union all
    select id::text, name from providers where program_id = ${programId} and id = any(${idsOf('provider')}::uuid[])`.execute(ctx.db);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (actor) => ({ ...ActorShape.parse(actor), name: names.get(actor.id) ?? null });
}
