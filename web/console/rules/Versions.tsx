// The versions of a rule, newest first: who changed what, and when. A former one can be restored as a new version.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { findChanges } from '../../states/edit/merge.ts';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatMoney } from '../../ui/figures/format.ts';
import { Section } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { affected } from './affected.ts';
import { type Rule, type RuleValues, type RuleVersion, toRule, toValues } from './form/rule-values.ts';
import { type Names, useFieldTexts } from './form/use-field-texts.ts';
import styles from './rules.module.css';

export function Versions({ rule }: { rule: Rule }) {
  const { t } = useTranslation('rules');
  const names = findNames(rule);
  return (
    <Section title={t('sheet.versions')} detail={t('sheet.versionsText')}>
      <ol className={styles.versions}>
        {rule.versions.map((version, index) => (
          <VersionRow key={version.version} rule={rule} version={version} before={rule.versions[index + 1] ?? null} names={names} />
        ))}
      </ol>
    </Section>
  );
}

/** What the versions were for, by id: affiliates, groups and products. */
function findNames({ versions }: Rule): Names {
  const references = versions.flatMap(({ affiliate, group, product }) => [affiliate ?? [], group ?? [], product ?? []].flat());
  return new Map(references.map(({ id, name }) => [id, name]));
}

type RowProps = { rule: Rule; version: RuleVersion; before: RuleVersion | null; names: Names };

function VersionRow({ rule, version, before, names }: RowProps) {
  const { t } = useTranslation('rules');
  const { href, can } = useProgram();
  const changes = useChanges(before, version, names);
  return (
    <li className={styles.version}>
      <div>
        <Link href={href(`rules?rule=${rule.id}&version=${version.version}`)}>{t('sheet.version', { version: version.version })}</Link>
        <span className={styles.detail}>
          {' · '}
          <DateTime value={version.createdAt} as="exact" />
          {version.actor?.name ? ` · ${version.actor.name}` : ''}
        </span>
      </div>
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {can('terms.write') && version.version !== rule.version ? <RestoreButton rule={rule} version={version} /> : null}
    </li>
  );
}

/** What a version changed: "Percentage: 10% → 12%". */
function useChanges(before: RuleVersion | null, version: RuleVersion, names: Names): string[] {
  const { t } = useTranslation('rules');
  const { timezone, currency } = useProgram();
  const { language } = useFigures();
  const { labels, show } = useFieldTexts(names);
  if (before === null) return [t('sheet.firstVersion')];
  const [from, to] = [toValues(before, timezone), toValues(version, timezone)];
  const textOf = (name: keyof RuleValues & string, values: RuleValues): string => {
    const shown = show(name, values);
    const value = values[name];
    if (shown !== undefined) return shown;
    if (typeof value === 'number' && name.endsWith('Cents')) return formatMoney(value, currency, language);
    if (Array.isArray(value)) return value.join(', ') || '–';
    return value === null || value === '' ? '–' : String(value);
  };
  const fields = findChanges(from, to).filter((name) => name !== 'kept');
  const changed = fields.map((name) => t('sheet.change', { field: labels[name], from: textOf(name, from), to: textOf(name, to) }));
  const status = before.status === version.status ? [] : [t(version.status === 'archived' ? 'sheet.archivedThen' : 'sheet.restoredThen')];
  return [...status, ...changed];
}

function RestoreButton({ rule, version }: { rule: Rule; version: RuleVersion }) {
  const { t } = useTranslation('rules');
  const { id: programId, timezone } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const update = useAction('commissionRules.update', { invalidates: affected });
  const restore = () =>
    update.mutate(
      {
        path: { programId, id: rule.id },
        body: { ...toRule(toValues(version, timezone), timezone), status: 'active' },
        ifMatch: String(rule.version),
      },
      {
        onSuccess: () => showToast(t('restored', { version: version.version }), { tone: 'success' }),
        onError: showProblem,
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <div>
      <Button size="small" icon="undo" aria-label={t('restoreVersion', { version: version.version })} onClick={() => setIsAsking(true)}>
        {t('restore')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('restoreTitle', { version: version.version })}
        text={t('restoreText')}
        action={t('restore')}
        isBusy={update.isPending}
        onConfirm={restore}
      />
    </div>
  );
}
