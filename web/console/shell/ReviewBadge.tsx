import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import type { Permission } from '../../session/roles.gen.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Badge } from '../../ui/marks/tag.tsx';
import styles from './shell.module.css';

const permissionOf = {
  application: 'affiliates.write',
  page: 'pages.review',
  fraud_alert: 'fraud.decide',
  claim: 'claims.decide',
  bounty_submission: 'claims.decide',
} as const satisfies Record<string, Permission>;

const kinds = ['application', 'page', 'fraud_alert', 'claim', 'bounty_submission'] as const;
const refreshMs = 60_000;

/** How many items await a decision that this user's role permits. */
export function ReviewBadge() {
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const own = kinds.filter((kind) => can(permissionOf[kind]));
  const { data } = useRead('review.counts', { path: { programId } }, { refreshMs, enabled: own.length > 0 });
  const count = data === undefined ? 0 : own.reduce((sum, kind) => sum + data[kind], 0);
  if (count === 0) return null;
  return (
    <span className={styles.linkBadge}>
      <Badge tone="attention">{formatCount(count, language)}</Badge>
    </span>
  );
}
