import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import type { IconName } from '../../../ui/icons.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';

export type Webhook = Result<'webhooks.list'>['webhooks'][number];

const marks: Record<Webhook['status'] | 'failing', [Tone, IconName]> = {
  active: ['approved', 'check'],
  failing: ['held', 'warning'],
  paused: ['neutral', 'pause'],
  disabled: ['reversed', 'close'],
};

export function WebhookStatus({ webhook: { status, failingSinceAt } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  const state = status === 'active' && failingSinceAt !== null ? 'failing' : status;
  const [tone, icon] = marks[state];
  return (
    <Status tone={tone} icon={icon}>
      {t(`status.${state}`)}
    </Status>
  );
}
