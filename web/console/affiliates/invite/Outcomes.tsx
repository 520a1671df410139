// What became of each address, or would become of it: only those that were not invited are listed.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { Notice } from '../../../ui/states/problem.tsx';
import styles from './invite.module.css';

export function Outcomes({ result }: { result: Result<'affiliates.inviteMany'> }) {
  const { t } = useTranslation('affiliate');
  const others = result.rows.filter(({ outcome }) => outcome !== 'invited');
  return (
    <Notice
      tone={result.rejected > 0 ? 'held' : 'neutral'}
      icon={result.rejected > 0 ? 'warning' : 'info'}
      title={t('invite.outcome', { invited: result.invited, existed: result.existed, rejected: result.rejected })}
    >
      <ul className={styles.outcomes}>
        {others.map(({ line, email, outcome, reason }) => (
          <li key={line}>
            <b>{email || t('invite.line', { line })}</b> {outcome === 'existed' ? t('invite.existed') : reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
