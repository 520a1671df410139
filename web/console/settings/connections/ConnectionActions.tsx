// What can be done with a connection: edit, make it the default, pause, archive, restore.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Row } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { attempt } from './attempt.ts';
import { getConnectable, type Provider } from './catalogue.ts';
import { EditSheet } from './EditSheet.tsx';

type Asking = 'edit' | 'archive' | 'restore' | null;

export function ConnectionActions({ provider }: { provider: Provider }) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const { id, kind, name, status, isDefault } = provider;
  const [asking, setAsking] = useState<Asking>(null);
  const update = useAction('providers.update', { invalidates: ['providers.list', 'providers.get', 'overview.get'] });
  const change = async (body: Input<'providers.update'>['body'], done: string) => {
    if (await attempt(() => update.mutateAsync({ path: { programId, id }, body }))) showToast(done);
    setAsking(null);
  };
  const isArchived = status === 'archived';
  const isPaused = status === 'disabled';
  // An archived connection lost its secrets; without any, nothing has to be entered again.
  const needsSecrets = getConnectable(provider.type).settings.some(({ part }) => part === 'secrets');
  const restore = () => (needsSecrets ? setAsking('restore') : void change({ status: 'connected' }, t('archive.restored')));
  return (
    <Row>
      {isArchived ? (
        <Button icon="undo" isBusy={update.isPending} onClick={restore}>
          {t('archive.restore')}
        </Button>
      ) : (
        <>
          <Button icon="edit" onClick={() => setAsking('edit')}>
            {t('edit.action')}
          </Button>
          {kind === 'payout' && !isDefault ? (
            <Button icon="check" onClick={() => void change({ isDefault: true }, t('default.done', { name }))}>
              {t('default.action')}
            </Button>
          ) : null}
          <Button
            icon={isPaused ? 'refresh' : 'pause'}
            onClick={() => void change({ status: isPaused ? 'connected' : 'disabled' }, t(isPaused ? 'pause.resumed' : 'pause.done'))}
          >
            {t(isPaused ? 'pause.resume' : 'pause.action')}
          </Button>
          <Button icon="archive" kind="quiet" onClick={() => setAsking('archive')}>
            {t('archive.action')}
          </Button>
        </>
      )}
      <EditSheet key={`edit-${provider.updatedAt}`} provider={provider} isOpen={asking === 'edit'} onClose={() => setAsking(null)} />
      <EditSheet
        key={`restore-${provider.updatedAt}`}
        provider={provider}
        isOpen={asking === 'restore'}
        onClose={() => setAsking(null)}
        status="connected"
      />
      <Confirm
        isOpen={asking === 'archive'}
        onClose={() => setAsking(null)}
        title={t('archive.title', { name })}
        text={t(`archive.text.${kind}`)}
        action={t('archive.action')}
        kind="danger"
        isBusy={update.isPending}
        onConfirm={() => void change({ status: 'archived' }, t('archive.done'))}
      />
    </Row>
  );
}
