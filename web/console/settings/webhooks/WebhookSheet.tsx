// One webhook: its state, what can be done with it, and the log of its deliveries.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Facts } from '../../../ui/layout/card.tsx';
import { Row, Stack } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { Deliveries } from './Deliveries.tsx';
import { Replay } from './Replay.tsx';
import { Secret } from './Secret.tsx';
import { type Webhook, WebhookStatus } from './WebhookStatus.tsx';

export function WebhookSheet({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  return (
    <Sheet isOpen={webhook !== null} onClose={onClose} title={webhook?.description ?? t('title')} detail={webhook?.url} width="wide">
      {webhook === null ? null : <Content key={webhook.id} webhook={webhook} onClose={onClose} />}
    </Sheet>
  );
}

function Content({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const { can } = useProgram();
  const [secret, setSecret] = useState<string | null>(null);
  const [isReplaying, setIsReplaying] = useState(false);
  if (secret !== null) return <Secret secret={secret} onDone={() => setSecret(null)} />;
  const rows = [
    { label: t('fact.status'), value: <WebhookStatus webhook={webhook} /> },
    { label: t('fact.events'), value: webhook.eventTypes.includes('*') ? t('family.all') : webhook.eventTypes.join(', ') },
    { label: t('fact.delivered'), value: webhook.lastSucceededAt === null ? '–' : <DateTime value={webhook.lastSucceededAt} /> },
  ];
  return (
    <Stack gap={20}>
      <Facts rows={rows} columns={3} />
      {webhook.disabledReason === null ? null : (
        <Notice icon="warning" tone="held" title={t('disabled.title')}>
          {t(`disabled.${webhook.disabledReason}`)}
        </Notice>
      )}
      {webhook.previousSecretUntilAt === null ? null : (
        <Notice icon="key" title={t('overlap.title')}>
          {t('overlap.text')} <DateTime value={webhook.previousSecretUntilAt} as="exact" />
        </Notice>
      )}
      {can('webhooks.write') ? (
        <Actions webhook={webhook} onSecret={setSecret} onReplay={() => setIsReplaying(true)} onClose={onClose} />
      ) : null}
      {isReplaying ? <Replay webhookId={webhook.id} onDone={() => setIsReplaying(false)} /> : null}
      <Deliveries webhook={webhook} />
    </Stack>
  );
}

type ActionsProps = { webhook: Webhook; onSecret: (secret: string) => void; onReplay: () => void; onClose: () => void };

function Actions({ webhook: { id, status, url }, onSecret, onReplay, onClose }: ActionsProps) {
  const { t } = useTranslation('webhooks');
  const { id: programId } = useProgram();
  const [asking, setAsking] = useState<'rotate' | 'remove' | null>(null);
  const send = useAction('webhooks.test', { invalidates: ['webhookDeliveries.list'] });
  const update = useAction('webhooks.update', { invalidates: ['webhooks.list'] });
  const rotate = useAction('webhooks.rotateSecret', { invalidates: ['webhooks.list'] });
  const remove = useAction('webhooks.delete', { invalidates: ['webhooks.list'] });
  const path = { programId, id };
  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      if (done !== '') showToast(done);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showToast(error.message, { tone: 'error' });
    }
    setAsking(null);
  };
  const next = status === 'active' ? 'paused' : 'active';
  const change = () => act(() => update.mutateAsync({ path, body: { status: next } }), t(`changed.${next}`));
  const renew = () => act(async () => onSecret((await rotate.mutateAsync({ path, body: {} })).secret), '');
  const erase = () =>
    act(async () => {
      await remove.mutateAsync({ path });
      onClose();
    }, t('removed'));
  return (
    <Row>
      <Button
        icon="send"
        disabled={status !== 'active'}
        isBusy={send.isPending}
        onClick={() => void act(() => send.mutateAsync({ path }), t('tested'))}
      >
        {t('test')}
      </Button>
      <Button icon={status === 'active' ? 'pause' : 'refresh'} isBusy={update.isPending} onClick={() => void change()}>
        {t(status === 'active' ? 'pause' : 'activate')}
      </Button>
      <Button icon="refresh" disabled={status !== 'active'} onClick={onReplay}>
        {t('replay.action')}
      </Button>
      <Button icon="key" onClick={() => setAsking('rotate')}>
        {t('rotate.action')}
      </Button>
      <Button icon="trash" kind="quiet" onClick={() => setAsking('remove')}>
        {t('remove.action')}
      </Button>
      <Confirm
        isOpen={asking === 'rotate'}
        onClose={() => setAsking(null)}
        title={t('rotate.title')}
        text={t('rotate.text')}
        action={t('rotate.action')}
        isBusy={rotate.isPending}
        onConfirm={() => void renew()}
      />
      <Confirm
        isOpen={asking === 'remove'}
        onClose={() => setAsking(null)}
        title={t('remove.title')}
        text={t('remove.text', { url })}
        action={t('remove.action')}
        isBusy={remove.isPending}
        onConfirm={() => void erase()}
      />
    </Row>
  );
}
