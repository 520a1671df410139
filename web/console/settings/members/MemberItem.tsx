// One member: name, role, when they were last active, and what can be changed.
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/tag.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { Menu, type MenuItem } from '../../../ui/overlay/menu.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { ConfirmMember, Waits } from './ConfirmMember.tsx';
import type { Member, Scope } from './member.ts';
import styles from './members.module.css';
import { RoleSheet } from './RoleSheet.tsx';
import { useFailure } from './use-failure.ts';

type Open = 'confirm' | `${'role' | 'remove'}-${Scope}`;

const scopes = ['program', 'organization'] as const;

export function MemberItem({ member }: { member: Member }) {
  const { t } = useTranslation(['members', 'shell']);
  const [open, setOpen] = useState<Open | null>(null);
  const { name, email, role, isYou, status, organizationRole, programRole } = member;
  return (
    <li className={styles.item}>
      <Avatar name={name} size={36} />
      <div className={styles.text}>
        <div className={styles.name}>
          <bdi>{name}</bdi>
          {isYou ? <Badge>{t('you')}</Badge> : null}
          {status === 'disabled' ? <Badge tone="attention">{t('disabled')}</Badge> : null}
        </div>
        <div className={styles.detail}>{email}</div>
        <Waits member={member} />
      </div>
      <div className={styles.role}>
        <div>{t(`shell:role.${role}`)}</div>
        <div className={styles.detail}>
          {organizationRole !== null && programRole === null ? `${t('organization')} · ` : null}
          {member.lastActiveAt === null ? t('neverActive') : <LastActive at={member.lastActiveAt} />}
        </div>
      </div>
      <MemberMenu member={member} onOpen={setOpen} />
      <ConfirmMember member={member} isOpen={open === 'confirm'} onClose={() => setOpen(null)} />
      {scopes.map((scope) => (
        <Fragment key={scope}>
          <RoleSheet member={member} scope={scope} isOpen={open === `role-${scope}`} onClose={() => setOpen(null)} />
          <RemoveMember member={member} scope={scope} isOpen={open === `remove-${scope}`} onClose={() => setOpen(null)} />
        </Fragment>
      ))}
    </li>
  );
}

function LastActive({ at }: { at: string }) {
  const { t } = useTranslation('members');
  return (
    <>
      {t('active')} <DateTime value={at} />
    </>
  );
}

type MenuProps = { member: Member; onOpen: (what: Open) => void };

/** Roles in the organization are changed by its owners and admins; owners only by owners. */
function MemberMenu({ member, onOpen }: MenuProps) {
  const { t } = useTranslation('members');
  const { can } = useProgram();
  const isAllowed = can('members.write') && member.programRole !== null && (member.programRole !== 'owner' || can('owners.write'));
  const { canConfirm, canChangeOrganizationRole } = member;
  if (!isAllowed && !canConfirm && !canChangeOrganizationRole) return <span className={styles.noMenu} />;
  const confirm: MenuItem = { label: t('confirm'), icon: 'check', onSelect: () => onOpen('confirm') };
  const changesIn = (scope: Scope): MenuItem[] => [
    { label: t(`menu.${scope}.changeRole`), icon: 'edit', onSelect: () => onOpen(`role-${scope}`) },
    { label: t(`menu.${scope}.remove`), icon: 'trash', tone: 'danger', onSelect: () => onOpen(`remove-${scope}`) },
  ];
  const items = [
    ...(canConfirm ? [confirm] : []),
    ...(isAllowed ? changesIn('program') : []),
    ...(canChangeOrganizationRole ? changesIn('organization') : []),
  ];
  return <Menu align="end" items={items} target={<IconButton icon="more" label={t('actions', { name: member.name })} />} />;
}

type RemoveProps = { member: Member; scope: Scope; isOpen: boolean; onClose: () => void };

function RemoveMember({ member: { userId, name, isYou }, scope, isOpen, onClose }: RemoveProps) {
  const { t } = useTranslation('members');
  const { id: programId, name: programName } = useProgram();
  const remove = useAction('members.remove', { invalidates: ['members.list'] });
  const explain = useFailure();
  const confirm = async () => {
    try {
      await remove.mutateAsync({ path: { programId, userId }, query: { scope } });
      showToast(t('removed', { name }));
    } catch (error) {
      explain(error);
    }
    onClose();
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t(`${scope}Removal.${isYou ? 'leaveTitle' : 'title'}`, { name, program: programName })}
      text={t(`${scope}Removal.${isYou ? 'leaveText' : 'text'}`, { name, program: programName })}
      action={t(`${scope}Removal.${isYou ? 'leave' : 'action'}`, { name })}
      isBusy={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
