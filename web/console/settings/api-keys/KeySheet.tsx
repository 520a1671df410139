// One API key: its state, and what can be done with it. Each change asks for a recent sign-in first.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatCount } from '../../../ui/figures/format.ts';
import { Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Row, Stack } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { EditForm } from './EditForm.tsx';
import { type ApiKey, KeyStatus } from './KeyStatus.tsx';
import { NewSecret } from './NewSecret.tsx';
import { RotateForm } from './RotateForm.tsx';

type Mode = 'show' | 'edit' | 'rotate';

export function KeySheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('api-keys');
  const { id: programId } = useProgram();
  const [mode, setMode] = useState<Mode>('show');
  const [secret, setSecret] = useState<string | null>(null);
  const [hasChanges, setHasChanges] = useState(false);
  const read = useRead('apiKeys.get', { path: { programId, id } });
  const stop = () => {
    setMode('show');
    setHasChanges(false);
  };
  const formOf = (key: ApiKey) =>
    mode === 'edit' ? (
      <EditForm apiKey={key} onChanged={setHasChanges} onDone={stop} />
    ) : (
      <RotateForm apiKey={key} onDone={stop} onSecret={setSecret} />
    );
  return (
    <Sheet isOpen onClose={onClose} title={read.data?.name ?? t('whatOne')} hasChanges={hasChanges || secret !== null}>
      {secret === null ? (
        <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={6} />}>
          {(key) => (mode === 'show' ? <Details apiKey={key} onMode={setMode} /> : formOf(key))}
        </Loaded>
      ) : (
        <NewSecret secret={secret} onDone={onClose} />
      )}
    </Sheet>
  );
}

function Details({ apiKey, onMode }: { apiKey: ApiKey; onMode: (mode: Mode) => void }) {
  const { t } = useTranslation('api-keys');
  const { language } = useFigures();
  const { href } = useProgram();
  const { prefix, lastFour, scopes, rateLimitPerMinute, createdBy, lastUsedAt, expiresAt, revokedAt, createdAt, replacedById } = apiKey;
  const limit = rateLimitPerMinute === null ? t('defaultLimit') : `${formatCount(rateLimitPerMinute, language)} ${t('perMinute')}`;
  const rows = [
    { label: t('fact.status'), value: <KeyStatus apiKey={apiKey} /> },
    { label: t('fact.key'), value: `${prefix}…${lastFour}` },
    { label: t('field.scope'), value: t(scopes.includes('write') ? 'scope.write' : 'scope.read') },
    { label: t('field.rateLimit'), value: limit },
    { label: t('lastUsed'), value: lastUsedAt === null ? t('neverUsed') : <DateTime value={lastUsedAt} /> },
    { label: t('fact.expires'), value: expiresAt === null ? t('expiry.never') : <DateTime value={expiresAt} as="exact" /> },
    { label: t('fact.created'), value: <DateTime value={createdAt} as="date" /> },
    { label: t('fact.createdBy'), value: createdBy === null ? t('commandLine') : createdBy.name },
  ];
  if (revokedAt !== null) rows.push({ label: t('fact.revoked'), value: <DateTime value={revokedAt} as="exact" /> });
  return (
    <Stack gap={20}>
      {replacedById === null ? null : (
        <Notice icon="key" title={t('replaced.title')}>
          {t('replaced.text')} <Link href={href(`settings/api-keys?key=${replacedById}`)}>{t('replaced.open')}</Link>
        </Notice>
      )}
      <Facts rows={rows} columns={2} />
      {apiKey.status === 'active' ? <Actions apiKey={apiKey} onMode={onMode} /> : null}
    </Stack>
  );
}

function Actions({ apiKey: { id, name, replacedById }, onMode }: { apiKey: ApiKey; onMode: (mode: Mode) => void }) {
  const { t } = useTranslation('api-keys');
  const { id: programId } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useAction('apiKeys.revoke', { invalidates: ['apiKeys.list', 'apiKeys.get'] });
  const confirm = () =>
    revoke.mutate(
      { path: { programId, id } },
      {
        onSuccess: () => showToast(t('revoke.done', { name })),
        onError: showProblem,
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <Row>
      {replacedById === null ? (
        <>
          <Button icon="refresh" onClick={() => onMode('rotate')}>
            {t('rotate.action')}
          </Button>
          <Button icon="edit" onClick={() => onMode('edit')}>
            {t('edit')}
          </Button>
        </>
      ) : null}
      <Button icon="close" kind="quiet" onClick={() => setIsAsking(true)}>
        {t('revoke.action')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('revoke.title', { name })}
        text={t('revoke.text')}
        action={t('revoke.action')}
        kind="danger"
        isBusy={revoke.isPending}
        onConfirm={confirm}
      />
    </Row>
  );
}
