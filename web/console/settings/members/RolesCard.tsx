import { useTranslation } from 'react-i18next';
import { roles } from '../../../session/roles.gen.ts';
import { Card } from '../../../ui/layout/card.tsx';
import styles from './members.module.css';

/** Describes what each role permits. */
export function RolesCard() {
  const { t } = useTranslation(['members', 'shell']);
  return (
    <Card title={t('roles')} isFlush>
      <dl className={styles.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>{t(`shell:role.${role}`)}</dt>
            <dd>{t(`describe.${role}`)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
