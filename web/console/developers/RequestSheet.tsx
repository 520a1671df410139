// One logged request in full, and as a curl command that sends it again.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { CodeBlock } from '../../ui/marks/code-block.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { HttpStatus } from './HttpStatus.tsx';
import { requestCode } from './sample-code.ts';

export type LoggedRequest = Result<'requests.list'>['requests'][number];

export function RequestSheet({ requestId, onClose }: { requestId: string | null; onClose: () => void }) {
  const { t } = useTranslation('developers');
  return (
    <Sheet isOpen={requestId !== null} onClose={onClose} title={t('log.request')}>
      {requestId === null ? null : <Request id={requestId} />}
    </Sheet>
  );
}

function Request({ id }: { id: string }) {
  const { t } = useTranslation('developers');
  const { id: programId } = useProgram();
  const read = useRead('requests.get', { path: { programId, id } });
  return (
    <Loaded read={read} what={t('log.what')} skeleton={<SkeletonText lines={8} />}>
      {(request) => <Details request={request} />}
    </Loaded>
  );
}

function Details({ request }: { request: Result<'requests.get'> }) {
  const { t } = useTranslation('developers');
  const { id: programId, can } = useProgram();
  const keys = useRead('apiKeys.list', { path: { programId } }, { enabled: can('keys.write') });
  const { requestId, apiKeyId, httpStatus, durationMs, createdAt, errorMessage, body, isBodyOmitted } = request;
  const key = keys.data?.apiKeys.find((one) => one.id === apiKeyId);
  return (
    <Stack gap={20}>
      {errorMessage === null ? null : (
        <Stack gap={4}>
          {errorMessage.split('\n').map((line) => (
            <Text key={line} tone="ink">
              {line}
            </Text>
          ))}
        </Stack>
      )}
      <Facts
        columns={2}
        rows={[
          { label: t('log.status'), value: <HttpStatus value={httpStatus} /> },
          { label: t('log.duration'), value: t('log.milliseconds', { count: durationMs }) },
          { label: t('log.key'), value: key?.name ?? <CopyButton value={apiKeyId} isMono /> },
          { label: t('log.arrived'), value: <DateTime value={createdAt} /> },
          { label: t('log.requestId'), value: <CopyButton value={requestId} isMono /> },
        ]}
      />
      {body === null ? null : <CodeBlock label={t('log.body')} code={JSON.stringify(body, null, 2)} />}
      {isBodyOmitted ? <Text>{t('log.omitted')}</Text> : null}
      <CodeBlock label={t('log.curl')} code={requestCode(request, location.origin)} />
      <Text>{t('log.masked')}</Text>
    </Stack>
  );
}
