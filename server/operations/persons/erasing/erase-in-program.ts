// Erases a person in one program, in one transaction.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { registerPersons } from '../../../accounts/programs/person-programs.ts';
import type { Context, Tx } from '../../../context.ts';
import { changeAffiliate } from '../../../partners/affiliates/change-affiliate.ts';
import { buildSearchText } from '../../../partners/affiliates/profile.ts';
import { outdateAllSpans } from '../../../partners/affiliates/totals/finished-spans.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { redactEntries } from '../../../platform/audit/redact.ts';
import { rehearse } from '../../../platform/db/rehearse.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Actor } from '../../../platform/lib/actor.ts';
import { type Found, findInProgram } from '../found.ts';
import type { Person } from '../person.ts';
import { applyChanges, type Change, type Counts, overwrite, remove } from './changes.ts';
import { erasePayloads } from './erase-payloads.ts';
import { findRedactedEntries } from './redact-audit.ts';
import { listReleasedSlugs } from './release-slugs.ts';
import { createScrubber, toWords } from './scrub.ts';
import { listSearchedTables, sweepTable } from './sweep.ts';
import { erasedAddress, listTraces } from './traces.ts';

type Options = { person: Person; programId: string; actor: Actor };

/** Erases the person and returns what changed. A dry run changes nothing, and returns what would have changed. */
export function eraseInProgram(ctx: Context, { isDryRun, ...options }: Options & { isDryRun: boolean }): Promise<Counts> {
  const work = (tx: Tx) => erase(tx, options);
  return transact(ctx, (tx) => (isDryRun ? rehearse(tx, work) : work(tx)));
}

async function erase(tx: Tx, { person, programId, actor }: Options): Promise<Counts> {
  await sql`set local statement_timeout = '30min'`.execute(tx.db);
  const found = await findInProgram(tx, programId, person);
  // The owner of the tables, for this transaction: the role of the service can't change rows of append-only tables.
  await sql`set local role none`.execute(tx.db);
  const changes = [
    ...(await listReleasedSlugs(tx, found)),
    ...listTraces(found, person, tx.clock.now()),
    ...renameCustomer(found),
    ...blankAffiliates(found),
  ];
  const counts = await applyChanges(tx, changes);
  const count = (table: string, rows: number) => {
    if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
  };
  count('provider_events', await erasePayloads(tx, programId, person));
  await registerErased(tx, found);
  for (const { id, status } of found.affiliates)
    if (status !== 'archived') await changeAffiliate(tx, { ...actor, programId }, { id, status: 'archived' });
  const words = toWords(person, { ids: found.ids, words: [...found.slugs, ...found.coupons.map(({ code }) => code)] });
  const search = { programId, words, scrubber: createScrubber(words, erasedAddress(found.affiliateIds[0] ?? programId)) };
  for (const table of await listSearchedTables(tx)) count(table.name, await sweepTable(tx, table, search));
  const entries = await findRedactedEntries(tx, search, person.userId);
  count('audit_log', entries.length);
  if (Object.keys(counts).length === 0) return counts;
  // Sums by link, sub ID, landing page and source may name the person. They are computed again from the remaining rows.
  await outdateAllSpans(tx, programId);
  await applyChanges(tx, [remove(programId, 'breakdown_totals', sql`breakdown in ('link', 'subId', 'landingPage', 'source')`)]);
  const after = { affiliates: found.affiliates.length, auditEntries: entries.length };
  const auditId = await recordChange(tx, { programId, actor, action: 'person.erased', subjectId: programId, after });
  await redactEntries(tx, { programId, auditId, entries });
  return counts;
}

/** Replaces the keys by which the person is recognized as a customer with random ones. Orders and their counts stay. */
function renameCustomer({ programId, customers }: Found): Change[] {
  return customers.flatMap(({ key }) => {
    const random = `mail:${randomBytes(32).toString('hex')}`;
    const renamed = {
      customer_keys: sql`array_replace(customer_keys, ${key}, ${random})`,
      customer_key: sql`case when customer_key = ${key} then ${random} else customer_key end`,
    };
    return [
      overwrite(programId, 'customer_keys', sql`key = ${key}`, { key: random }),
      overwrite(programId, 'conversions', sql`customer_keys @> array[${key}]`, renamed),
      overwrite(programId, 'unattributed_orders', sql`customer_keys @> array[${key}]`, renamed),
    ];
  });
}

function blankAffiliates({ programId, affiliates, emailKeys }: Found): Change[] {
  const blanked = affiliates.map(({ id, referralCode }) => {
    const name = { firstName: 'Erased', lastName: 'affiliate' };
    const email = erasedAddress(id);
    return overwrite(programId, 'affiliates', sql`id = ${id}::uuid`, {
      first_name: name.firstName,
      last_name: name.lastName,
      email,
      email_key: email,
      search: buildSearchText({ ...name, email, referralCode }),
      vanity_slug: null,
      external_id: null,
      metadata: sql`'{}'::jsonb`,
      tags: sql`'{}'::text[]`,
      status_note: null,
    });
  });
  return [...blanked, remove(programId, 'person_programs', sql`kind in ('affiliate', 'invited') and person = any(${emailKeys})`)];
}

/** The register has a row for the address of every affiliate and invitation. */
async function registerErased(tx: Tx, { programId, affiliateIds }: Found): Promise<void> {
  const invitations = tx.db.selectFrom('memberInvitations').select('emailKey').where('programId', '=', programId);
  const invited = await invitations.where('emailKey', 'like', 'erased-%@erased.invalid').execute();
  await registerPersons(tx, { kind: 'affiliate', persons: affiliateIds.map(erasedAddress) }, programId);
  await registerPersons(tx, { kind: 'invited', persons: invited.map(({ emailKey }) => emailKey) }, programId);
}
