// Which emails a program sends. An email of a kind that is switched off is not written.
import type { Context, Tx } from '../../../context.ts';
import { type EmailKind, type SwitchableKind, switchableKinds } from '../kinds/table.ts';

type Source = Pick<Context, 'db'>;

/** Whether a program does not send emails of this kind. */
export async function isSwitchedOff(ctx: Source, programId: string, kind: EmailKind): Promise<boolean> {
  const switchable = switchableKinds.find((one) => one === kind);
  return switchable !== undefined && (await readSwitchedOff(ctx, programId)).includes(switchable);
}

/** The kinds of emails that a program does not send. */
export async function readSwitchedOff({ db }: Source, programId: string): Promise<SwitchableKind[]> {
  const switches = db.selectFrom('emailSwitches').select('kind').where('programId', '=', programId);
  const off = new Set((await switches.where('isOn', '=', false).execute()).map(({ kind }) => kind));
  return switchableKinds.filter((kind) => off.has(kind));
}

/** Switches a kind of email on or off. */
export async function switchEmails(
  { db, clock }: Tx,
  { programId, kind, isOn }: { programId: string; kind: SwitchableKind; isOn: boolean },
): Promise<void> {
  const values = { isOn, updatedAt: clock.now() };
  await db
    .insertInto('emailSwitches')
    .values({ programId, kind, isOn, updatedAt: values.updatedAt })
    .onConflict((conflict) => conflict.columns(['programId', 'kind']).doUpdateSet(values))
    .execute();
}
