import { useTranslation } from 'react-i18next';
import { type Permission, rolesWith } from '../../session/roles.gen.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Forbidden } from '../../ui/states/problem.tsx';

/** A screen that the user's role can't open: which role is required. */
export function ForbiddenScreen({ title, permission }: { title: string; permission: Permission }) {
  const { t, i18n } = useTranslation('shell');
  const roles = rolesWith[permission].map((role) => t(`role.${role}`));
  return (
    <Page title={title} width="reading">
      <Forbidden role={new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(roles)} purpose={t('problem.toOpen')} />
    </Page>
  );
}
