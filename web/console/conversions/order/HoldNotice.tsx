import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { ButtonLink } from '../../../ui/controls/button.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import type { Explanation } from './say.ts';

/** Why an order is on hold, and where the hold is decided. */
export function HoldNotice({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation('conversions');
  const { href } = useProgram();
  if (explanation.status !== 'held') return null;
  const alert = explanation.fraudEvents.find(({ status, evidence }) => status === 'open' && evidence.action === 'hold');
  const isDisputed = explanation.timeline.some(({ steps }) =>
    steps.some(({ step, reasons }) => step === 'held' && reasons.includes('dispute')),
  );
  if (!alert && isDisputed)
    return (
      <Notice tone="held" icon="gate" title={t('order.heldTitle')}>
        {t('order.heldByDispute')}
      </Notice>
    );
  return (
    <Notice tone="held" icon="gate" title={t('order.heldTitle')}>
      <Stack gap={12}>
        <Text>{t(alert ? 'order.heldByAlert' : 'order.heldOtherwise')}</Text>
        <div>
          {alert ? (
            <ButtonLink size="small" href={href(`review?kind=fraud_alert&item=${alert.id}`)}>
              {t('order.decideHold')}
            </ButtonLink>
          ) : (
            <ButtonLink size="small" href={href(`affiliates/${explanation.affiliateId}?tab=commissions`)}>
              {t('order.openCommissions')}
            </ButtonLink>
          )}
        </div>
      </Stack>
    </Notice>
  );
}
