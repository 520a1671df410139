import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';

export type ApiKey = Result<'apiKeys.get'>;

const marks: Record<ApiKey['status'] | 'ending', [Tone, IconName]> = {
  active: ['approved', 'check'],
  ending: ['held', 'clock'],
  expired: ['neutral', 'clock'],
  revoked: ['reversed', 'close'],
};

/** How long before its expiry a key is marked. */
const soonMs = 7 * 86_400_000;

/** Whether a key works, and until when if that is soon. */
export function KeyStatus({ apiKey: { status, expiresAt } }: { apiKey: ApiKey }) {
  const { t } = useTranslation('api-keys');
  const { now } = useFigures();
  const isEnding = status === 'active' && expiresAt !== null && Date.parse(expiresAt) - now < soonMs;
  const [tone, icon] = marks[isEnding ? 'ending' : status];
  return (
    <Status tone={tone} icon={icon}>
      {isEnding ? (
        <>
          {t('status.ending')} <DateTime value={expiresAt} />
        </>
      ) : (
        t(`status.${status}`)
      )}
    </Status>
  );
}
