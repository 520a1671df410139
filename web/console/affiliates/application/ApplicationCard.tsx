import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { ApplicationFacts } from './ApplicationFacts.tsx';

/** The latest application of an affiliate; nothing for affiliates who never applied. */
export function ApplicationCard({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('join');
  const { id: programId } = useProgram();
  const read = useRead('applications.list', { path: { programId }, query: { affiliateId, limit: 1 } });
  const [application] = read.data?.applications ?? [];
  if (application === undefined) return null;
  return (
    <Card title={t('application.title')}>
      <ApplicationFacts application={application} total={read.data?.total ?? 1} />
    </Card>
  );
}
