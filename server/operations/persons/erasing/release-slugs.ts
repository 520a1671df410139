// The bare addresses of a person's slugs. Each belongs to the first program that used the slug; if another program uses it
// as well, that program gets the address.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../context.ts';
import { forAllPrograms } from '../../../platform/queue/each-program.ts';
import type { Found } from '../found.ts';
import { type Change, overwriteShared, removeShared } from './changes.ts';

const registers = [
  {
    register: 'bare_links',
    used: (slugs: readonly string[]) => sql`select program_id, slug from short_links where kind = 'vanity' and slug = any(${slugs})`,
  },
  {
    register: 'bare_pages',
    used: (slugs: readonly string[]) => sql`select program_id, slug from landing_pages where slug = any(${slugs})`,
  },
] as const;

/** Statements that release the addresses, or give them to another program. */
export async function listReleasedSlugs(tx: Tx, { programId, slugs }: Found): Promise<Change[]> {
  if (slugs.length === 0) return [];
  const changes: Change[] = [];
  for (const { register, used } of registers) {
    const heirs = await findHeirs(tx, programId, used(slugs));
    for (const { slug, programId: heir } of heirs) {
      changes.push(overwriteShared(register, sql`program_id = ${programId} and slug = ${slug}`, { program_id: heir }));
    }
    changes.push(removeShared(register, sql`program_id = ${programId} and slug = any(${slugs})`));
  }
  return changes;
}

type Heir = { slug: string; programId: string };

async function findHeirs(tx: Tx, programId: string, used: RawBuilder<unknown>): Promise<Heir[]> {
  const { rows } = await sql<Heir>`
    select distinct on (slug) slug, program_id from (${used}) as other where program_id <> ${programId} order by slug, program_id`.execute(
    forAllPrograms(tx),
  );
  return rows;
}
