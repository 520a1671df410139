// The API keys of a program: what they may do, when they were used last, and until when they work.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Card, RowList } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readOne, readText } from '../../../url/url-state.ts';
import styles from './api-keys.module.css';
import { CreateSheet } from './CreateSheet.tsx';
import { KeySheet } from './KeySheet.tsx';
import { type ApiKey, KeyStatus } from './KeyStatus.tsx';

const views = ['active', 'former'] as const;
const former = ['expired', 'revoked'] as const;

function readState(raw: RawSearch) {
  return { keyId: readText(raw, 'key') ?? null, view: readOne(raw, 'view', views) ?? 'active' };
}

export function Screen() {
  const { t } = useTranslation('api-keys');
  const { id: programId } = useProgram();
  const [{ keyId, view }, change] = useSearchState(readState);
  const [isCreating, setIsCreating] = useState(false);
  const status = view === 'active' ? (['active'] as const) : former;
  const read = useRead('apiKeys.list', { path: { programId }, query: { status: [...status], limit: 200 } });
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lede={t('lede')} width="reading" actions={create}>
      <Segments
        label={t('view.label')}
        tabs={views.map((id) => ({ id, label: t(`view.${id}`) }))}
        value={view}
        onChange={(next) => change({ view: next === 'active' ? null : next })}
      />
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
          {({ apiKeys }) =>
            apiKeys.length > 0 ? (
              <RowList>
                {apiKeys.map((key) => (
                  <KeyItem key={key.id} apiKey={key} onOpen={() => change({ key: key.id })} />
                ))}
              </RowList>
            ) : view === 'active' ? (
              <EmptyState sample="entries" title={t('empty.title')} text={t('empty.text')} actions={create} />
            ) : (
              <EmptyState sample="entries" title={t('noFormer.title')} text={t('noFormer.text')} />
            )
          }
        </Loaded>
      </Card>
      {isCreating ? <CreateSheet onClose={() => setIsCreating(false)} /> : null}
      {keyId === null ? null : <KeySheet key={keyId} id={keyId} onClose={() => change({ key: null })} />}
    </Page>
  );
}

function KeyItem({ apiKey, onOpen }: { apiKey: ApiKey; onOpen: () => void }) {
  const { t } = useTranslation('api-keys');
  const { name, prefix, lastFour, scopes, lastUsedAt } = apiKey;
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <div className={styles.name}>
          <bdi>{name}</bdi>
        </div>
        <div className={styles.detail}>
          <span className={styles.code}>
            {prefix}…{lastFour}
          </span>
          {' · '}
          {t(scopes.includes('write') ? 'scope.write' : 'scope.read')}
        </div>
      </div>
      <div>
        <KeyStatus apiKey={apiKey} />
        <div className={styles.detail}>
          {lastUsedAt === null ? (
            t('neverUsed')
          ) : (
            <>
              {t('lastUsed')} <DateTime value={lastUsedAt} />
            </>
          )}
        </div>
      </div>
      <Button size="small" aria-label={`${t('open')}: ${name}`} onClick={onOpen}>
        {t('open')}
      </Button>
    </li>
  );
}
