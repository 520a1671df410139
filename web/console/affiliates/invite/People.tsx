// The people who were found in the pasted text, with names that can be corrected.
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import type { Person } from './addresses.ts';
import styles from './invite.module.css';

const shown = 50;

type Props = { people: readonly Person[]; onChange: (people: readonly Person[]) => void };

export function People({ people, onChange }: Props) {
  const { t } = useTranslation('affiliate');
  if (people.length === 0) return null;
  const change = (email: string, name: Partial<Person>) =>
    onChange(people.map((person) => (person.email === email ? { ...person, ...name } : person)));
  return (
    <div className={styles.people}>
      <div className={styles.peopleTitle}>{t('invite.people', { count: people.length })}</div>
      <ul>
        {people.slice(0, shown).map((person) => (
          <li key={person.email} className={styles.person}>
            <span className={styles.email}>{person.email}</span>
            <TextInput
              label={t('invite.firstNameOf', { email: person.email })}
              isLabelHidden
              placeholder={t('field.firstName')}
              value={person.firstName}
              onChange={(firstName) => change(person.email, { firstName })}
            />
            <TextInput
              label={t('invite.lastNameOf', { email: person.email })}
              isLabelHidden
              placeholder={t('field.lastName')}
              value={person.lastName}
              onChange={(lastName) => change(person.email, { lastName })}
            />
            <IconButton
              icon="close"
              size="small"
              label={t('invite.remove', { email: person.email })}
              onClick={() => onChange(people.filter(({ email }) => email !== person.email))}
            />
          </li>
        ))}
      </ul>
      {people.length > shown ? <p className={styles.hidden}>{t('invite.hidden', { count: people.length - shown })}</p> : null}
    </div>
  );
}
