// An entry of the audit log as a sentence: who did what, with the name of the object as a link to its screen.
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../../locales/isolate.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDate } from '../../../ui/figures/dates.ts';
import { formatCount, formatMoney, formatPercent } from '../../../ui/figures/format.ts';
import { Link } from '../../../ui/layout/link.tsx';
import styles from './audit-log.module.css';
import { type AuditEntry, type Change, singleChange, subjectPath } from './entry.ts';

// Private-use characters, which the texts don't contain: the places of the names.
const markers = { actor: '\ue000', subject: '\ue001' };

/** Without a link where the sentence is part of a link itself. */
export function Sentence({ entry, hasLink = true }: { entry: AuditEntry; hasLink?: boolean }) {
  const { href } = useProgram();
  const toText = useText();
  const names = useNames()(entry);
  const path = hasLink ? subjectPath(entry) : null;
  const subject = <bdi>{names.subject}</bdi>;
  const inserted: Record<string, ReactNode> = {
    [markers.actor]: <bdi>{names.actor}</bdi>,
    [markers.subject]: path === null ? subject : <Link href={href(path)}>{subject}</Link>,
  };
  return (
    <span className={styles.sentence}>
      {toText(entry).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity.
        <Fragment key={index}>{inserted[part] ?? part}</Fragment>
      ))}
    </span>
  );
}

/** An entry as a text, for names that can't have links. */
export function useSentence(): (entry: AuditEntry) => string {
  const [toText, toNames] = [useText(), useNames()];
  return (entry) => {
    const { actor, subject } = toNames(entry);
    const inserted: Record<string, string> = { [markers.actor]: isolate(actor), [markers.subject]: isolate(subject) };
    return toText(entry)
      .map((part) => inserted[part] ?? part)
      .join('');
  };
}

type Names = { actor: string; subject: string };

/** The names of who caused an entry and of what it is about. */
export function useNames(): (entry: AuditEntry) => Names {
  const { t } = useTranslation('audit');
  const figures = useFigures();
  const nameActor = ({ actor, actorName }: AuditEntry) => {
    if (actor.kind === 'user') return actorName ?? t('by.user');
    if (actor.kind === 'schedule' || actor.kind === 'command') return t(`by.${actor.kind}`);
    return actorName === null ? t('by.deleted') : t(`by.${actor.kind}`, { name: actorName });
  };
  const nameSubject = ({ action, subject }: AuditEntry) => {
    if (subject?.name) return subject.name;
    if (action.startsWith('customer.')) return t('aCustomer');
    const dispatchedAt = subject?.dispatchedAt ?? null;
    return dispatchedAt === null ? t('deleted') : t('aBatch', { date: formatDate(dispatchedAt, figures, figures.now) });
  };
  return (entry) => ({ actor: nameActor(entry), subject: nameSubject(entry) });
}

/** The text of an entry, divided at the names. */
function useText(): (entry: AuditEntry) => string[] {
  const { t, i18n } = useTranslation('audit');
  const { language } = useFigures();
  const toValue = useValue();
  // "from 30 to 45 days": the unit is written once.
  const toFormer = (change: Change) => {
    const { unit, before, after } = change;
    const isOnce = unit === 'days' && typeof before === 'number' && typeof after === 'number';
    return isOnce ? formatCount(before, language) : toValue(change, before);
  };
  return (entry) => {
    const { action, subject } = entry;
    const { amountCents = null, currency = null } = subject ?? {};
    const amount = amountCents === null || currency === null ? '–' : formatMoney(amountCents, currency, language);
    const change = singleChange(entry);
    const [before, after] = change ? [toFormer(change), toValue(change, change.after)] : [null, null];
    const isKnown = i18n.exists(`audit:sentence.${action}`);
    const general = isKnown ? t(`sentence.${action}` as 'sentence.affiliate.invited', { ...markers, amount }) : t('otherAction', markers);
    if (!change || before === null || after === null) return divide(general);
    const field = t(`fieldName.${change.field}`);
    const text = subject?.kind === 'program' ? 'changedProgram' : 'changed';
    return divide(t(text, { ...markers, field, before, after }));
  };
}

function divide(text: string): string[] {
  return text.split(/([\ue000\ue001])/).filter((part) => part !== '');
}

/** A value of a changed field as people read it; null for a value that has no text. */
function useValue(): (change: Change, value: unknown) => string | null {
  const { t, i18n } = useTranslation('audit');
  const { t: tShell } = useTranslation('shell');
  const { language } = useFigures();
  const { currency } = useProgram();
  return ({ unit }, value) => {
    if (value === null) return t('value.none');
    if (typeof value === 'number') {
      if (unit === 'days') return t('days', { count: value, number: formatCount(value, language) });
      if (unit === 'money') return formatMoney(value, currency, language);
      return unit === 'percent' ? formatPercent(value, language) : null;
    }
    if (typeof value !== 'string') return null;
    if (unit === 'text') return value;
    if (unit === 'role') return i18n.exists(`shell:role.${value}`) ? tShell(`role.${value}` as 'role.owner') : null;
    return unit === 'code' && i18n.exists(`audit:value.${value}`) ? t(`value.${value}` as 'value.active') : null;
  };
}
