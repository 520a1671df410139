// Who is emailed about an alert: the members who can act on it and did not choose otherwise, or the contact of a program
// without members; and the operators of the installation. One email per opening, and none if the same alert was opened
// a short time before.
import { listPermitted } from '../../accounts/identity/members/list-permitted.ts';
import { getProgram } from '../../accounts/programs/program.ts';
import type { Tx } from '../../context.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import { emailKey } from '../../platform/lib/email-address.ts';
import { renderAlert } from '../emails/kinds/alert.ts';
import { findUserLocale } from '../emails/look/look.ts';
import { queueEmail } from '../emails/send.ts';
import { keepNotified } from '../notifications/choices.ts';
import { kindOfAlert } from '../notifications/find-items.ts';
import { kinds } from '../notifications/kinds.ts';
import { AlertKind, type AlertRow } from './alert.ts';

/** What a member must be permitted to act on an alert about the installation. */
const operating: readonly Permission[] = ['settings.write'];

/** A condition that comes and goes is announced once in this time. */
const quietHours = 6;
/** A fault of the installation opens an alert in every program: operators are emailed about the first. */
const operatorQuietMinutes = 60;

/** Queues the emails that follow from opening this alert. */
export async function sendAlert(tx: Tx, alert: AlertRow, changeId: string): Promise<void> {
  const { programId, name, reason } = alert;
  const kind = AlertKind.parse(alert.kind);
  if (await wasOpenedSince(tx, alert, quietHours * 60)) return;
  const program = await getProgram(tx, programId);
  const choice = kindOfAlert(kind);
  const members = await listPermitted(tx, programId, choice === null ? operating : kinds[choice].permissions);
  const fallback = program.contactEmail === null ? [] : [program.contactEmail];
  const operators = await findOperators(tx, alert);
  const notified = choice === null ? members : await keepNotified(tx, programId, choice, members);
  const addresses = [...(members.length > 0 ? notified : fallback), ...operators];
  const unique = new Map(addresses.map((address) => [emailKey(address) ?? address, address]));
  for (const [key, to] of unique) {
    const locale = await findUserLocale(tx, key);
    const content = renderAlert({ locale }, program.name, { kind, name, reason });
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'alert', to, content });
  }
}

async function findOperators(tx: Tx, { id, kind }: AlertRow): Promise<string[]> {
  const { alertEmail } = tx.config;
  if (alertEmail === undefined) return [];
  const since = new Date(tx.clock.now().getTime() - operatorQuietMinutes * 60_000);
  const others = tx.db.selectFrom('alerts').select('id').where('kind', '=', kind).where('createdAt', '>', since).where('id', '<>', id);
  return (await others.limit(1).executeTakeFirst()) ? [] : [alertEmail];
}

async function wasOpenedSince(tx: Tx, { programId, id, kind, subject }: AlertRow, minutes: number): Promise<boolean> {
  const since = new Date(tx.clock.now().getTime() - minutes * 60_000);
  const earlier = tx.db.selectFrom('alerts').select('id').where('programId', '=', programId).where('kind', '=', kind);
  const found = await earlier.where('subject', '=', subject).where('createdAt', '>', since).where('id', '<>', id).executeTakeFirst();
  return found !== undefined;
}
