// Informs an affiliate that they moved to another group, and what changes for them.
import { findPortalUrl } from '../../../../accounts/programs/hosts/site-url.ts';
import type { Tx } from '../../../../context.ts';
import { formatCents } from '../../../../platform/lib/currency.ts';
import { type RenderedEmail, renderEmail } from '../../layout.ts';
import { type Frame, type Locale, loadFrame, type Sender } from '../../look/look.ts';
import { queueEmail } from '../../send.ts';
import { type EmailedRate, formatRate } from './rate-text.ts';

/** What a group means for its affiliates. `groupName` is null without a group, and `rate` if no rule applies. */
export type GroupTerms = { groupName: string | null; rate: EmailedRate | null; holdDays: number; minimumPayoutCents: number };

type Moved = { firstName: string; before: GroupTerms; after: GroupTerms; currency: string; ratesUrl: string };
type GroupChange = Omit<Moved, 'firstName' | 'ratesUrl'> & {
  programId: string;
  changeId: string;
  affiliate: { id: string; email: string; firstName: string };
};

const texts = {
  en: (name: string, firstName: string, group: string | null, former: string | null) => ({
    subject: group === null ? `You left the group ${former} at ${name}` : `You are in the group ${group} at ${name}`,
    heading: `Your group changed, ${firstName}`,
    intro:
      group === null
        ? `${name} has groups for affiliates who reach a certain volume. Your recent volume is below that of ${former}, so you are in no group now.`
        : `${name} has groups for affiliates who reach a certain volume. By your recent volume you are in the group ${group} now.`,
    changes: 'From now on:',
    unchanged: 'Your commission, your hold period and your minimum payout stay the same.',
    earned: 'Commissions that you have already earned stay as they are.',
    rate: 'Commission',
    hold: 'Hold period',
    minimum: 'Minimum payout',
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    button: 'Open your rates',
    footer: `You received this email because you are an affiliate of ${name}.`,
  }),
  de: (name: string, firstName: string, group: string | null, former: string | null) => ({
    subject: group === null ? `Du bist nicht mehr in der Gruppe ${former} bei ${name}` : `Du bist in der Gruppe ${group} bei ${name}`,
    heading: `Deine Gruppe hat sich geändert, ${firstName}`,
    intro:
      group === null
        ? `${name} hat Gruppen für Affiliates, die ein bestimmtes Volumen erreichen. Deines lag zuletzt unter dem von ${former}. Deshalb bist du jetzt in keiner Gruppe.`
        : `${name} hat Gruppen für Affiliates, die ein bestimmtes Volumen erreichen. Mit deinem bist du jetzt in der Gruppe ${group}.`,
    changes: 'Ab jetzt gilt:',
    unchanged: 'Deine Provision, deine Wartezeit und deine Mindestauszahlung bleiben gleich.',
    earned: 'Provisionen, die du schon verdient hast, bleiben, wie sie sind.',
    rate: 'Provision',
    hold: 'Wartezeit',
    minimum: 'Mindestauszahlung',
    days: (count: number) => (count === 1 ? '1 Tag' : `${count} Tage`),
    button: 'Konditionen öffnen',
    footer: `Du erhältst diese E-Mail, weil du Affiliate von ${name} bist.`,
  }),
};

/** Queues the email about a move to another group. */
export async function sendGroupChanged(tx: Tx, { programId, changeId, affiliate, ...change }: GroupChange): Promise<void> {
  const { id: affiliateId, email: to, firstName } = affiliate;
  const { frame, sender } = await loadFrame(tx, { programId, affiliateId });
  const ratesUrl = `${await findPortalUrl(tx, programId)}/rates`;
  const content = renderGroupChanged(frame, sender, { ...change, firstName, ratesUrl });
  await queueEmail(tx, { programId, changeId, affiliateId, kind: 'group_changed', to, content });
}

/** Renders the email: the terms that change, each with its value before and now. */
export function renderGroupChanged(frame: Frame, { name }: Sender, moved: Moved): RenderedEmail {
  const { firstName, before, after, ratesUrl } = moved;
  const words = texts[frame.locale](name, firstName, after.groupName, before.groupName);
  const changes = describeChanges(moved, frame.locale, words);
  return renderEmail(frame, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [words.intro, ...(changes.length === 0 ? [words.unchanged] : [words.changes, ...changes]), words.earned],
    button: { label: words.button, url: ratesUrl },
    footer: words.footer,
  });
}

type Words = ReturnType<(typeof texts)[Locale]>;

/** "Commission: 10% → 12%", for each of the terms that changes. */
function describeChanges({ before, after, currency }: Moved, language: Locale, words: Words): string[] {
  const format = ({ rate, holdDays, minimumPayoutCents }: GroupTerms) => [
    [words.rate, formatRate(rate, { currency, language })],
    [words.hold, words.days(holdDays)],
    [words.minimum, formatCents(minimumPayoutCents, currency, { language })],
  ];
  const [was, is] = [format(before), format(after)];
  return is.flatMap(([label, value], index) => (was[index]?.[1] === value ? [] : [`${label}: ${was[index]?.[1]} → ${value}`]));
}
