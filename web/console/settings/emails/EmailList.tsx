// The emails to choose from: a list next to the preview, and a menu above it on phones.
import { useTranslation } from 'react-i18next';
import { Select } from '../../../ui/form/select.tsx';
import styles from './emails.module.css';
import { type EmailId, emailGroups } from './preview-types.ts';

type Props = { value: EmailId; onChange: (email: EmailId) => void };

export function EmailList({ value, onChange }: Props) {
  const { t } = useTranslation('emails');
  const all: EmailId[] = emailGroups.flatMap(({ emails }) => [...emails]);
  return (
    <>
      <nav className={styles.list} aria-label={t('list')}>
        {emailGroups.map((group) => (
          <section key={group.id}>
            <h2 className={styles.group}>{t(`group.${group.id}`)}</h2>
            {group.emails.map((email) => (
              <button
                key={email}
                type="button"
                className={styles.choice}
                aria-current={email === value || undefined}
                onClick={() => onChange(email)}
              >
                {t(`email.${email}`)}
              </button>
            ))}
          </section>
        ))}
      </nav>
      <div className={styles.menu}>
        <Select
          label={t('list')}
          options={all.map((email) => ({ value: email, label: t(`email.${email}`) }))}
          value={value}
          onChange={(email) => onChange(email ?? value)}
          isSearchable={false}
        />
      </div>
    </>
  );
}
