import { useTranslation } from 'react-i18next';
import { roles } from '../../../api/operations.gen.ts';
import { Card, Facts } from '../../../ui/layout/card.tsx';

/** What each role permits, in words. */
export function RolesCard() {
  const { t } = useTranslation(['members', 'shell']);
  return (
    <Card title={t('roles')}>
      <Facts rows={roles.map((role) => ({ label: t(`shell:role.${role}`), value: t(`describe.${role}`) }))} />
    </Card>
  );
}
