// Which tables an export of a program contains: all with rows of programs, except those listed here with the reason.
import { sql } from 'kysely';
import { orderTables, type Reference } from '../../../accounts/programs/deletion/order-tables.ts';
import type { Context } from '../../../context.ts';

/** Tables that are left out, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  api_keys: 'Keys belong to an installation: create new ones.',
  api_key_hashes: 'Keys belong to an installation.',
  idempotency_keys: 'Responses to requests of those keys.',
  logged_requests: 'Requests of those keys, kept for a few days.',
  embeds: 'Short-lived tokens of those keys.',
  program_members: 'Roles are given by the owners of the other installation.',
  member_invitations: 'Roles are given by the owners of the other installation.',
  member_confirmations: 'Roles are given by the owners of the other installation.',
  access_requests: 'Requests for roles.',
  affiliate_views: 'Sessions of members.',
  saved_views: 'Preferences of members.',
  notification_choices: 'Preferences of members.',
  notification_readers: 'Positions of the installation that sends the emails.',
  pending_decisions: 'Decisions that members can still undo.',
  setting_changes: 'Changes that await a second member.',
  background_tasks: 'Work of the installation, such as files that were exported.',
  background_task_inputs: 'Work of the installation.',
  background_task_outputs: 'Work of the installation.',
  breakdown_spans: 'Sums that the other installation adds up again.',
  breakdown_totals: 'Sums that the other installation adds up again.',
  job_outbox: 'Work of the installation.',
  program_work: 'Work of the installation.',
  domains: 'Their DNS records lead to one installation: add them in the other one.',
  program_hosts: 'Their DNS records lead to one installation.',
  webhook_deliveries: 'Deliveries are made by one installation only.',
  webhook_attempts: 'Deliveries are made by one installation only.',
};

/** Rows of these registers that another program of the installation has first are not replaced. */
export const sharedNames: ReadonlySet<string> = new Set(['bare_links', 'bare_pages']);

/** Columns that name a user. Users are found by their email address in the other installation, or added. */
export const userColumns: Readonly<Record<string, string>> = { affiliate_accounts: 'user_id', media: 'user_id' };

/** A condition on exported rows. */
export const conditions: Readonly<Record<string, string>> = { person_programs: "kind in ('affiliate', 'account')" };

/** What an imported column contains instead: no installation may send what the other one sends. */
export const replaced: Readonly<Record<string, Record<string, string>>> = {
  announcements: {
    status: "case row.status when 'scheduled' then 'draft' when 'sending' then 'cancelled' else row.status end",
    send_at: "case when row.status = 'scheduled' then null else row.send_at end",
    finished_at: "case when row.status = 'sending' then row.updated_at else row.finished_at end",
  },
  payout_schedules: { is_active: 'false', next_run_at: 'null' },
  webhooks: { status: "case when row.status = 'active' then 'paused' else row.status end" },
  emails: { status: "case when row.status = 'queued' then 'cancelled' else row.status end" },
};

export type ProgramTable = { name: string; columns: string[]; key: string[]; selfReferences: string[] };

/** The exported tables, each after those that it refers to. */
export async function listProgramTables({ db }: Pick<Context, 'db'>): Promise<ProgramTable[]> {
  const { rows: tables } = await sql<Omit<ProgramTable, 'selfReferences'>>`
    select class.relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select array_agg(attribute.attname::text order by array_position(index.indkey::int2[], attribute.attnum))
        from pg_index as index join pg_attribute as attribute on attribute.attrelid = index.indrelid and attribute.attnum = any(index.indkey)
        where index.indrelid = class.oid and index.indisprimary) as key
    from pg_class as class
    where class.relkind in ('r', 'p') and not class.relispartition and class.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute where attrelid = class.oid and attname = 'program_id' and not attisdropped)`.execute(db);
  const { rows: references } = await sql<Reference & { columns: string[] }>`
    select child.relname as "from", parent.relname as "to",
      (select array_agg(attname::text) from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
    where contype = 'f' and child.relnamespace = 'public'::regnamespace`.execute(db);
  const exported = tables.filter(({ name }) => !Object.hasOwn(leftOut, name));
  const selfReferencesOf = (table: string) =>
    references
      .filter(({ from, to }) => from === table && to === table)
      .flatMap(({ columns }) => columns.filter((column) => column !== 'program_id'));
  const byName = new Map(exported.map((table) => [table.name, { ...table, selfReferences: selfReferencesOf(table.name) }]));
  return orderTables([...byName.keys()], references)
    .reverse()
    .flatMap((name) => byName.get(name) ?? []);
}
