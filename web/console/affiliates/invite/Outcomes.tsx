// What would become of each address: only those that would not be invited are listed.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { Notice } from '../../../ui/states/problem.tsx';
import styles from './invite.module.css';
import { useProblemText } from './use-rows.ts';

export function Outcomes({ result }: { result: Result<'affiliates.inviteMany'> }) {
  const { t } = useTranslation('affiliate');
  const problemText = useProblemText();
  const others = result.rows.filter(({ outcome }) => outcome !== 'invited');
  return (
    <Notice
      tone={result.rejected > 0 ? 'held' : 'neutral'}
      icon={result.rejected > 0 ? 'warning' : 'info'}
      title={t('invite.outcome', { invited: result.invited, existed: result.existed, rejected: result.rejected })}
    >
      <ul className={styles.outcomes}>
        {others.map((row) => (
          <li key={row.line}>
            <b>{row.email || t('invite.line', { line: row.line })}</b> {problemText(row)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
