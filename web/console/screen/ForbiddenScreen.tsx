import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { type Permission, rolesWith } from '../../session/roles.gen.ts';
import { Page } from '../../ui/layout/page.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { Forbidden } from '../../ui/states/problem.tsx';

/** A screen that the user's role can't open: which role is required, who can grant it, and asking for it. */
export function ForbiddenScreen({ title, permission }: { title: string; permission: Permission }) {
  const { t, i18n } = useTranslation('shell');
  const { id: programId, user } = useProgram();
  const roles = rolesWith[permission].map((role) => t(`role.${role}`));
  const members = useRead('members.list', { path: { programId } });
  const granting = new Set<string>(rolesWith['members.write']);
  const grantedBy = members.data?.members.filter(({ role, status }) => granting.has(role) && status === 'active').map(({ name }) => name);
  const requests = useRead('accessRequests.list', { path: { programId } });
  const request = useAction('accessRequests.create', { invalidates: ['accessRequests.list'] });
  const isRequested = request.isSuccess || requests.data?.accessRequests.some(({ userId }) => userId === user.id) === true;
  const ask = () =>
    request.mutate(
      { path: { programId }, body: { permission } },
      { onError: (error) => showToast(error.message, { tone: error.status === 422 ? 'neutral' : 'error' }) },
    );
  return (
    <Page title={title} width="reading">
      <Forbidden
        role={new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(roles)}
        purpose={t('problem.toOpen')}
        grantedBy={grantedBy?.slice(0, 5) ?? []}
        onRequest={requests.data === undefined ? undefined : ask}
        isRequested={isRequested}
      />
    </Page>
  );
}
