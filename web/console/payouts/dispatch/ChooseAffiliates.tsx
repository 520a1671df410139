// The first step: everyone who is due, selected; and who is skipped, by reason.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Checkbox } from '../../../ui/form/choices.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Facts, Section } from '../../../ui/layout/card.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { type Due, type DueRow, groupSkipped, matchesName, nameOf, searchedFrom } from '../due/due-groups.ts';
import { NameSearch } from '../due/NameSearch.tsx';
import styles from '../payouts.module.css';
import { chosenOf } from './changes.ts';
import type { DispatchChoice } from './choice.ts';

type Props = { rows: readonly DueRow[]; due: Due; choice: DispatchChoice; onChoice: (choice: DispatchChoice) => void };

export function ChooseAffiliates({ rows, due, choice, onChoice }: Props) {
  const { t } = useTranslation('payouts');
  const { language } = useFigures();
  const { excepted } = choice;
  const [search, setSearch] = useState('');
  const shown = chosenOf(rows, new Set()).rows.filter((row) => matchesName(row, search));
  const chosen = chosenOf(rows, excepted);
  const toggle = (id: string, isChosen: boolean) => {
    const others = [...excepted].filter(([each]) => each !== id);
    onChoice({ ...choice, excepted: new Map(isChosen ? others : [...others, [id, '']]) });
  };
  const all = (isChosen: boolean) =>
    onChoice({
      ...choice,
      excepted: new Map(isChosen ? [] : rows.map(({ affiliateId }) => [affiliateId, excepted.get(affiliateId) ?? ''])),
    });
  const explain = (id: string, reason: string) => onChoice({ ...choice, excepted: new Map(excepted).set(id, reason) });
  const groups = groupSkipped(due.skipped);
  const count = chosen.rows.length;
  const amount = formatMoney(chosen.totalCents, due.currency, language);
  return (
    <>
      <div aria-live="polite">
        <Checkbox
          label={t('people', { count, formatted: formatCount(count, language), amount })}
          value={excepted.size === 0}
          isMixed={excepted.size > 0 && count > 0}
          onChange={all}
        />
      </div>
      {rows.length > searchedFrom ? <NameSearch value={search} onChange={setSearch} /> : null}
      <ul className={styles.list} aria-label={t('dispatch.step.affiliates')}>
        {shown.map((row) => (
          <li key={row.affiliateId} className={styles.choice}>
            <Checkbox
              label={<bdi>{nameOf(row)}</bdi>}
              value={!excepted.has(row.affiliateId)}
              onChange={(isChosen) => toggle(row.affiliateId, isChosen)}
            />
            <span className={styles.amount}>
              <Money cents={row.amountCents} currency={due.currency} />
            </span>
            {excepted.has(row.affiliateId) ? (
              <div className={styles.reason}>
                <TextInput
                  label={t('dispatch.reason', { name: nameOf(row) })}
                  isLabelHidden
                  placeholder={t('dispatch.reasonPlaceholder')}
                  value={excepted.get(row.affiliateId) ?? ''}
                  onChange={(reason) => explain(row.affiliateId, reason)}
                  maxLength={200}
                />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <Text size="small">{t('noName')}</Text> : null}
      {groups.length === 0 ? null : (
        <Section title={t('dispatch.skipped')}>
          <Text size="small">{t('dispatch.skippedText')}</Text>
          <Facts
            rows={groups.map(({ reason, rows: skipped }) => ({
              label: t(`skipped.${reason}.title`),
              value: formatCount(skipped.length, language),
            }))}
          />
        </Section>
      )}
    </>
  );
}
