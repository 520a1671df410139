// What is known about an address: whether it opted out of the optional emails of a program, and whether it accepts emails.
import type { Context, Tx } from '../../../context.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';

export type RecipientState = { optedOutAt: Date | null; bouncedAt: Date | null; bounceReason: string | null };

type Address = { programId: string; address: string };

const maxReason = 500;

/** The state of an address; one without a row accepts everything. */
export async function readRecipient({ db }: Pick<Context, 'db'>, { programId, address }: Address): Promise<RecipientState> {
  const row = await db
    .selectFrom('emailRecipients')
    .select(['optedOutAt', 'bouncedAt', 'bounceReason'])
    .where('programId', '=', programId)
    .where('emailKey', '=', toKey(address))
    .executeTakeFirst();
  return row ?? { optedOutAt: null, bouncedAt: null, bounceReason: null };
}

/** Opts an address out of the optional emails of a program, or in again. False if it is so already. */
export async function setOptOut(tx: Tx, { programId, address, isOptedOut }: Address & { isOptedOut: boolean }): Promise<boolean> {
  const { optedOutAt } = await readRecipient(tx, { programId, address });
  if ((optedOutAt !== null) === isOptedOut) return false;
  await write(tx, { programId, address }, { optedOutAt: isOptedOut ? tx.clock.now() : null });
  return true;
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

type Change = { optedOutAt?: Date | null; bouncedAt?: Date | null; bounceReason?: string | null };

async function write({ db, clock }: Pick<Context, 'db' | 'clock'>, { programId, address }: Address, change: Change): Promise<void> {
  const values = { ...change, updatedAt: clock.now() };
  await db
    .insertInto('emailRecipients')
    .values({ ...values, programId, emailKey: toKey(address) })
    .onConflict((conflict) => conflict.columns(['programId', 'emailKey']).doUpdateSet(values))
    .execute();
}

const toKey = (address: string): string => emailKey(address) ?? address.toLowerCase();
