// The webhooks of a program: where events are sent, and whether they arrive.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { CreateSheet } from './CreateSheet.tsx';
import { PostbackSetting } from './PostbackSetting.tsx';
import { WebhookSheet } from './WebhookSheet.tsx';
import { type Webhook, WebhookStatus } from './WebhookStatus.tsx';
import styles from './webhooks.module.css';

function readState(raw: RawSearch) {
  return { webhookId: readText(raw, 'webhook') ?? null };
}

export function Screen() {
  const { t } = useTranslation('webhooks');
  const { id: programId, can } = useProgram();
  const [{ webhookId }, change] = useSearchState(readState);
  const [isCreating, setIsCreating] = useState(false);
  const read = useRead('webhooks.list', { path: { programId } }, { refreshMs: 15_000 });
  const canWrite = can('webhooks.write');
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('create')}
    </Button>
  );
  const open = read.data?.webhooks.find(({ id }) => id === webhookId) ?? null;
  return (
    <Page title={t('title')} lede={t('lede')} width="reading" actions={canWrite ? create : undefined}>
      <Card isFlush>
        <Loaded
          read={read}
          what={t('what')}
          skeleton={
            <div className={styles.padded}>
              <SkeletonText lines={4} />
            </div>
          }
        >
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} actions={canWrite ? create : undefined} />
            ) : (
              <RowList>
                {webhooks.map((webhook) => (
                  <WebhookItem key={webhook.id} webhook={webhook} onOpen={() => change({ webhook: webhook.id })} />
                ))}
              </RowList>
            )
          }
        </Loaded>
      </Card>
      <PostbackSetting />
      {canWrite ? <CreateSheet isOpen={isCreating} onClose={() => setIsCreating(false)} /> : null}
      <WebhookSheet webhook={open} onClose={() => change({ webhook: null })} />
    </Page>
  );
}

function WebhookItem({ webhook, onOpen }: { webhook: Webhook; onOpen: () => void }) {
  const { t } = useTranslation('webhooks');
  const { url, description, eventTypes, lastSucceededAt } = webhook;
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <div className={styles.url}>{url}</div>
        <div className={styles.detail}>{description ?? eventTypes.join(', ')}</div>
      </div>
      <div>
        <WebhookStatus webhook={webhook} />
        <div className={styles.detail}>{lastSucceededAt === null ? t('neverDelivered') : <LastDelivered at={lastSucceededAt} />}</div>
      </div>
      <Button size="small" aria-label={`${t('open')}: ${url}`} onClick={onOpen}>
        {t('open')}
      </Button>
    </li>
  );
}

function LastDelivered({ at }: { at: string }) {
  const { t } = useTranslation('webhooks');
  return (
    <>
      {t('delivered')} <DateTime value={at} />
    </>
  );
}
