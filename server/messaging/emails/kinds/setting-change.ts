// A change was requested that loosens the safety of payouts. The program's contact can cancel it before it takes effect.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { notifySettingChangeJob } from '../../../accounts/programs/setting-changes/notify-job.ts';
import { waitHours } from '../../../accounts/programs/setting-changes/setting-change.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { formatCents } from '../../../platform/lib/currency.ts';
import { emailKey } from '../../../platform/lib/email-address.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { job } from '../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { formatTime } from '../look/format.ts';
import { type Frame, findUserLocale, type Locale, serviceLook } from '../look/look.ts';
import { queueEmail } from '../send.ts';

const Change = z
  .object({
    payoutApprovalCents: z.int().nullable(),
    scheduledPayoutLimitCents: z.int().nullable(),
    taxForms: z.string(),
    contactEmail: z.string().nullable(),
  })
  .partial();
type Change = z.infer<typeof Change>;

/** Runs after the request has committed; the address is the one before the change. */
export const sendSettingChange = job({
  ...notifySettingChangeJob,
  retries: 10,
  run: (ctx, { programId, changeId }) => queueNotice(ctx, programId, changeId),
});

async function queueNotice(ctx: Context, programId: string, changeId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const program = await getProgram(tx, programId, { lock: true });
    const changes = tx.db.selectFrom('auditLog').selectAll().where('programId', '=', programId).where('id', '=', changeId);
    const { before, after, createdAt } = await changes.executeTakeFirstOrThrow();
    const to = Change.parse(before).contactEmail ?? program.contactEmail;
    const sent = tx.db.selectFrom('emails').select('id').where('programId', '=', programId).where('auditId', '=', changeId);
    if (!to || (await sent.executeTakeFirst())) return;
    const locale = await findUserLocale(tx, emailKey(to) ?? to);
    const settingsUrl = `${getPublicUrl(ctx.config)}/console/${programId}/settings/payments`;
    const change = { before: Change.parse(before), after: Change.parse(after), at: createdAt, settingsUrl };
    const content = renderSettingChange({ locale }, program, change);
    await queueEmail(tx, { programId, changeId, affiliateId: null, kind: 'setting_change', to, content });
  });
}

type Requested = { before: Change; after: Change; at: Date; settingsUrl: string };

const texts = {
  en: (name: string) => ({
    subject: `${name}: a payout safety setting is about to change`,
    heading: 'A payout safety setting is about to change',
    requested: (change: string, at: string) => `${change} The change was requested on ${at}.`,
    effective: (at: string) => `The change takes effect on ${at}, or earlier if another member approves it.`,
    unexpected:
      'If you did not expect this change, cancel it in the settings before then, and revoke the API key or remove the member who requested it.',
    open: 'Open the settings',
    footer: `You received this email because you are the contact for the affiliate program of ${name}.`,
    none: 'none',
    approval: (from: string, to: string) => `The amount above which payouts need a second approval changes from ${from} to ${to}.`,
    scheduled: (to: string) => `The payout schedule will send batches of up to ${to} without an approval.`,
    taxForms: 'Affiliates will be paid without a tax form.',
    contact: (email: string) => `Notices will be sent to ${email} instead of this address.`,
    noContact: 'Notices will no longer be sent to this address, and no other contact is set.',
  }),
  de: (name: string) => ({
    subject: `${name}: Eine Sicherheitseinstellung für Auszahlungen ändert sich bald`,
    heading: 'Eine Sicherheitseinstellung für Auszahlungen ändert sich bald',
    requested: (change: string, at: string) => `${change} Angefordert wurde die Änderung am ${at}.`,
    effective: (at: string) => `Die Änderung wird wirksam am ${at}, oder früher, wenn ein anderes Mitglied sie freigibt.`,
    unexpected:
      'Falls die Änderung nicht erwartet wurde: vorher in den Einstellungen abbrechen und den API-Schlüssel widerrufen oder das anfordernde Mitglied entfernen.',
    open: 'Einstellungen öffnen',
    footer: `Diese E-Mail geht an die Kontaktadresse des Affiliate-Programms von ${name}.`,
    none: 'keinem',
    approval: (from: string, to: string) =>
      `Der Betrag, ab dem Auszahlungen eine zweite Freigabe brauchen, ändert sich von ${from} zu ${to}.`,
    scheduled: (to: string) => `Der Auszahlungsplan wird Sammelauszahlungen bis ${to} ohne Freigabe senden.`,
    taxForms: 'Affiliates werden ohne Steuerformular bezahlt.',
    contact: (email: string) => `Hinweise werden an ${email} statt an diese Adresse gesendet.`,
    noContact: 'An diese Adresse werden keine Hinweise mehr gesendet, und keine andere Kontaktadresse ist hinterlegt.',
  }),
};
type Words = ReturnType<(typeof texts)[Locale]>;

/** The notice, with the settings before and after the change. */
export function renderSettingChange(
  { locale }: Pick<Frame, 'locale'>,
  { name, currency }: { name: string; currency: string },
  { before, after, at, settingsUrl }: Requested,
): RenderedEmail {
  const words = texts[locale](name);
  const effectiveAt = new Date(at.getTime() + waitHours * 3_600_000);
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: words.subject,
      heading: words.heading,
      paragraphs: [
        words.requested(describeChange(words, { before, after, currency, locale }), formatTime(at, locale)),
        words.effective(formatTime(effectiveAt, locale)),
        words.unexpected,
      ],
      button: { label: words.open, url: settingsUrl },
      footer: words.footer,
    },
  );
}

type Described = { before: Change; after: Change; currency: string; locale: Locale };

function describeChange(words: Words, { before, after, currency, locale }: Described): string {
  const amount = (cents: number | null | undefined) =>
    cents === null || cents === undefined ? words.none : formatCents(cents, currency, { language: locale });
  if (after.scheduledPayoutLimitCents !== undefined) return words.scheduled(amount(after.scheduledPayoutLimitCents));
  if (after.payoutApprovalCents !== undefined) {
    return words.approval(amount(before.payoutApprovalCents), amount(after.payoutApprovalCents));
  }
  if (after.taxForms !== undefined) return words.taxForms;
  return after.contactEmail ? words.contact(after.contactEmail) : words.noContact;
}
