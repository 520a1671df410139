// The people who were found in the pasted text, with everything about them that can be corrected.
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import type { Person, Row } from './addresses.ts';
import styles from './invite.module.css';

const shown = 50;

type Props = { people: readonly Row[]; onChange: (people: readonly Row[]) => void };

export function People({ people, onChange }: Props) {
  const { t } = useTranslation('affiliate');
  if (people.length === 0) return null;
  // Rows that need a correction are always shown.
  const visible = people.filter(({ problem }, index) => index < shown || problem !== null);
  const change = (source: string, given: Partial<Person>) =>
    onChange(people.map((row) => (row.source === source ? { ...row, ...given, problem: null } : row)));
  return (
    <div className={styles.people}>
      <div className={styles.peopleTitle}>{t('invite.people', { count: people.length })}</div>
      <ul>
        {visible.map((row) => (
          <li key={row.source} className={styles.person} data-problem={row.problem !== null || undefined}>
            <PersonFields row={row} onChange={(given) => change(row.source, given)} />
            <IconButton
              icon="close"
              size="small"
              label={t('invite.remove', { email: row.email })}
              onClick={() => onChange(people.filter(({ source }) => source !== row.source))}
            />
            {row.problem === null ? null : <span className={styles.problem}>{row.problem}</span>}
          </li>
        ))}
      </ul>
      {people.length > visible.length ? (
        <p className={styles.hidden}>{t('invite.hidden', { count: people.length - visible.length })}</p>
      ) : null}
    </div>
  );
}

function PersonFields({ row, onChange }: { row: Row; onChange: (given: Partial<Person>) => void }) {
  const { t } = useTranslation('affiliate');
  const { email, firstName, lastName } = row;
  return (
    <>
      <div className={styles.email}>
        <TextInput
          label={t('invite.emailOf', { email })}
          isLabelHidden
          type="email"
          inputMode="email"
          value={email}
          onChange={(next) => onChange({ email: next })}
        />
      </div>
      <TextInput
        label={t('invite.firstNameOf', { email })}
        isLabelHidden
        placeholder={t('field.firstName')}
        value={firstName}
        onChange={(next) => onChange({ firstName: next })}
      />
      <TextInput
        label={t('invite.lastNameOf', { email })}
        isLabelHidden
        placeholder={t('field.lastName')}
        value={lastName}
        onChange={(next) => onChange({ lastName: next })}
      />
    </>
  );
}
