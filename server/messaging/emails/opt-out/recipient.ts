// What is known about an address: which optional emails of a program it opted out of, and whether it accepts emails.
import { sql } from 'kysely';
import type { Context, Tx } from '../../../context.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { type OptionalKind, optionalKinds } from '../kinds/table.ts';

export type RecipientState = {
  optedOutAt: Date | null;
  optedOutKinds: OptionalKind[];
  bouncedAt: Date | null;
  bounceReason: string | null;
};

type Address = { programId: string; address: string };

const maxReason = 500;

/** The state of an address; one without a row accepts everything. */
export async function readRecipient({ db }: Pick<Context, 'db'>, { programId, address }: Address): Promise<RecipientState> {
  const row = await db
    .selectFrom('emailRecipients')
    .select(['optedOutAt', 'optedOutKinds', 'bouncedAt', 'bounceReason'])
    .where('programId', '=', programId)
    .where('emailKey', '=', toKey(address))
    .executeTakeFirst();
  if (!row) return { optedOutAt: null, optedOutKinds: [], bouncedAt: null, bounceReason: null };
  return { ...row, optedOutKinds: optionalKinds.filter((kind) => row.optedOutKinds.includes(kind)) };
}

/** For each kind that is given, whether the address gets it. */
export type Choices = Partial<Record<OptionalKind, boolean>>;

/** Changes which optional emails of a program an address gets; other kinds are not changed. Returns the changes. */
export async function chooseEmails(tx: Tx, { programId, address, choices }: Address & { choices: Choices }): Promise<OptionalKind[]> {
  await lockRecipient(tx, { programId, address });
  const { optedOutAt, optedOutKinds } = await readRecipient(tx, { programId, address });
  const kept = optionalKinds.filter((kind) => !(choices[kind] ?? !optedOutKinds.includes(kind)));
  const changed = optionalKinds.filter((kind) => kept.includes(kind) !== optedOutKinds.includes(kind));
  const change = { optedOutAt: kept.length === 0 ? null : (optedOutAt ?? tx.clock.now()), optedOutKinds: kept };
  if (changed.length > 0) await write(tx, { programId, address }, change);
  return changed;
}

/** Simultaneous choices wait for each other, so that none undoes another. */
async function lockRecipient(tx: Tx, { programId, address }: Address): Promise<void> {
  await sql`
    insert into email_recipients (program_id, email_key, updated_at) values (${programId}, ${toKey(address)}, ${tx.clock.now()})
    on conflict (program_id, email_key) do update set updated_at = excluded.updated_at`.execute(tx.db);
}

/** A mail server rejected the address permanently. */
export async function recordBounce(ctx: Pick<Context, 'db' | 'clock'>, address: Address, reason: string): Promise<void> {
  await write(ctx, address, { bouncedAt: ctx.clock.now(), bounceReason: reason.slice(0, maxReason) });
}

/** The address accepted an email, or a member asks to try again. */
export async function clearBounce({ db, clock }: Pick<Context, 'db' | 'clock'>, { programId, address }: Address): Promise<void> {
  await db
    .updateTable('emailRecipients')
    .set({ bouncedAt: null, bounceReason: null, updatedAt: clock.now() })
    .where('programId', '=', programId)
    .where('emailKey', '=', toKey(address))
    .where('bouncedAt', 'is not', null)
    .execute();
}

type Change = { optedOutAt?: Date | null; optedOutKinds?: OptionalKind[]; bouncedAt?: Date | null; bounceReason?: string | null };

async function write({ db, clock }: Pick<Context, 'db' | 'clock'>, { programId, address }: Address, change: Change): Promise<void> {
  const values = { ...change, updatedAt: clock.now() };
  await db
    .insertInto('emailRecipients')
    .values({ ...values, programId, emailKey: toKey(address) })
    .onConflict((conflict) => conflict.columns(['programId', 'emailKey']).doUpdateSet(values))
    .execute();
}

const toKey = (address: string): string => emailKey(address) ?? address.toLowerCase();
