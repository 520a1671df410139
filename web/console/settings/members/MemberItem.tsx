// One member: name, role, when they were last active, and what can be changed.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/tag.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { Menu, type MenuItem } from '../../../ui/overlay/menu.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { useProgram } from '../../session/program.ts';
import { ConfirmMember, Waits } from './ConfirmMember.tsx';
import styles from './members.module.css';
import { RoleSheet } from './RoleSheet.tsx';
import { useFailure } from './use-failure.ts';

export type Member = Result<'members.list'>['members'][number];

type Open = 'confirm' | 'role' | 'remove';

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
      <RoleSheet member={member} isOpen={open === 'role'} onClose={() => setOpen(null)} />
      <ConfirmMember member={member} isOpen={open === 'confirm'} onClose={() => setOpen(null)} />
      <RemoveMember member={member} isOpen={open === 'remove'} onClose={() => setOpen(null)} />
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

/** Roles in the organization are changed on the command line; owners only by owners. */
function MemberMenu({ member, onOpen }: MenuProps) {
  const { t } = useTranslation('members');
  const { can } = useProgram();
  const isAllowed = can('members.write') && member.programRole !== null && (member.programRole !== 'owner' || can('owners.write'));
  if (!isAllowed && !member.canConfirm) return <span className={styles.noMenu} />;
  const confirm: MenuItem = { label: t('confirm'), icon: 'check', onSelect: () => onOpen('confirm') };
  const changes: MenuItem[] = [
    { label: t('changeRole'), icon: 'edit', onSelect: () => onOpen('role') },
    { label: t('remove'), icon: 'trash', tone: 'danger', onSelect: () => onOpen('remove') },
  ];
  const items = [...(member.canConfirm ? [confirm] : []), ...(isAllowed ? changes : [])];
  return <Menu align="end" items={items} target={<IconButton icon="more" label={t('actions', { name: member.name })} />} />;
}

type RemoveProps = { member: Member; isOpen: boolean; onClose: () => void };

function RemoveMember({ member: { userId, name, isYou }, isOpen, onClose }: RemoveProps) {
  const { t } = useTranslation('members');
  const { id: programId, name: programName } = useProgram();
  const remove = useAction('members.remove', { invalidates: ['members.list'] });
  const explain = useFailure();
  const confirm = async () => {
    try {
      await remove.mutateAsync({ path: { programId, userId } });
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
      title={isYou ? t('leaveTitle', { program: programName }) : t('removeTitle', { name })}
      text={isYou ? t('leaveText') : t('removeText', { name, program: programName })}
      action={isYou ? t('leave') : t('removeAction', { name })}
      isBusy={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
