// The payout schedule among the payouts: its next batch, and where it is changed.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { NextRun } from './NextRun.tsx';

export function ScheduleCard() {
  const { t } = useTranslation('payout-schedule');
  const { id: programId, can, href } = useProgram();
  const read = useRead('payoutSchedule.get', { path: { programId } });
  const action = can('payouts.prepare') ? (
    <ButtonLink size="small" href={href('settings/payout-schedule')} icon="settings">
      {t('open')}
    </ButtonLink>
  ) : undefined;
  return (
    <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={3} />}>
      {(schedule) => (
        <Card title={t('title')} actions={action}>
          <NextRun schedule={schedule} />
        </Card>
      )}
    </Loaded>
  );
}
