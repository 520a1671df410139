// The search of the audit log: by the names that it shows, and by actions.
import { type RawBuilder, sql } from 'kysely';
import { containsWords, containsWordsUnfolded, searchField } from '../../accounts/programs/search.ts';
import type { Context } from '../../context.ts';
import { auditActions, type SubjectKind, subjectKinds } from '../../platform/audit/actions.ts';
import { type AuditFilter, auditFilter, selectEvents } from '../../platform/audit/list.ts';
import { nameQueries } from './names.ts';

/** The filters of the console's list and of the export. */
export const entryFilter = {
  ...auditFilter,
  search: searchField('Searches the names of actors and objects, and the actions'),
};

export type EntryFilter = AuditFilter & { search?: string | undefined };

/** The audit events of a program that match the filters and the search. */
export function selectEntries(ctx: Pick<Context, 'db'>, programId: string, { search, ...filter }: EntryFilter) {
  const events = selectEvents(ctx, programId, filter);
  return search ? events.where(matches(programId, search)) : events;
}

const actorKinds = ['user', 'api_key', 'provider'] as const satisfies readonly SubjectKind[];

/**
 * Names are searched only among the objects and actors that occur in the log, which is read once for them. An object that
 * was deleted has no name to be found by.
 */
function matches(programId: string, search: string): RawBuilder<boolean> {
  return sql<boolean>`(
    ${containsWords(sql`action`, search)}
    or subject_id in (
      with subjects as materialized (
        select distinct action, subject_id from audit_log where program_id = ${programId}
      )
      ${findNamed(programId, search, subjectKinds, subjectsOf)}
    )
    or actor_id in (
      with actors as materialized (
        select distinct actor_kind, actor_id from audit_log where program_id = ${programId} and actor_kind = any(${[...actorKinds]})
      )
      select found.id::text from (${findNamed(programId, search, actorKinds, actorsOf)}) as found
    )
  )`;
}

function findNamed(
  programId: string,
  search: string,
  kinds: readonly SubjectKind[],
  among: (kind: SubjectKind) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const queries = kinds.map(
    (kind) => sql`
      select named.id from (${nameQueries[kind](programId, (id) => sql`${id} in (${among(kind)})`)}) as named
      where ${containsWordsUnfolded(sql`named.name`, search)}`,
  );
  return sql.join(queries, sql` union all `);
}

function subjectsOf(kind: SubjectKind): RawBuilder<unknown> {
  const actions = Object.entries(auditActions).flatMap(([action, subject]) => (subject === kind ? [action] : []));
  return sql`select subjects.subject_id from subjects where subjects.action = any(${actions})`;
}

/** Ids of other forms belong to no object. */
function actorsOf(kind: SubjectKind): RawBuilder<unknown> {
  return sql`select case when actors.actor_id ~ '^[0-9a-f-]{36}$' then actors.actor_id::uuid end from actors where actors.actor_kind = ${kind}`;
}
