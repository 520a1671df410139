// How much content awaits a decision, which the review inbox makes.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';

/** Nothing while no content awaits a decision. */
export function Submissions() {
  const { t } = useTranslation('bounties');
  const { id: programId, href } = useProgram();
  const { data } = useRead('review.counts', { path: { programId } });
  const count = data?.bounty_submission ?? 0;
  if (count === 0) return null;
  const open = (
    <ButtonLink size="small" href={href('review?kind=bounty_submission')}>
      {t('submissions.open')}
    </ButtonLink>
  );
  return <Card title={t('submissions.title')} detail={t('submissions.count', { count })} actions={open} />;
}
