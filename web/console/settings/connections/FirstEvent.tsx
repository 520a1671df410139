// Waits for the first event of a connection, and says what it meant.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import type { Provider } from './catalogue.ts';
import { useOutcome } from './use-outcome.ts';

const refreshMs = 3000;

export function FirstEvent({ provider }: { provider: Provider }) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const outcomeOf = useOutcome();
  const query = { providerId: provider.id, limit: 1 };
  const read = useRead('providerEvents.list', { path: { programId }, query }, { refreshMs });
  const [event] = read.data?.providerEvents ?? [];
  if (event === undefined) {
    return (
      <>
        <Text>{t(`waiting.${provider.kind}`)}</Text>
        <Notice icon="clock" title={t('waiting.title')} />
      </>
    );
  }
  const isUnderstood = event.status === 'processed' || event.status === 'ignored';
  return (
    <div role="status">
      <Notice icon={isUnderstood ? 'check' : 'warning'} tone={event.status === 'failed' ? 'error' : 'neutral'} title={outcomeOf(event)}>
        <code>{event.topic}</code> · <DateTime value={event.createdAt} />
      </Notice>
    </div>
  );
}
