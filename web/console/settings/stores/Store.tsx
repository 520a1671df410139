// One store: its setup until the first event has arrived, its events with their outcome, and whether orders are missing.
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { loadFile } from '../../../frame/lazy-screen.tsx';
import { useProgram } from '../../../session/program.ts';
import { FailedScreen } from '../../../states/failed-screen.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { Skeleton, SkeletonText } from '../../../ui/states/skeleton.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { ConnectionActions } from '../connections/ConnectionActions.tsx';
import { ConnectionStatus } from '../connections/ConnectionStatus.tsx';
import type { Provider } from '../connections/catalogue.ts';
import { Setup } from '../connections/Setup.tsx';
import { Coverage } from './Coverage.tsx';
import { SyncCard } from './SyncCard.tsx';

const Events = lazy(async () => ({ default: (await loadFile(() => import('./Events.tsx'))).Events }));

const tabs = ['setup', 'events', 'coverage'] as const;
type Tab = (typeof tabs)[number];

function readTab(raw: RawSearch): Tab {
  const text = readText(raw, 'tab');
  return tabs.find((tab) => tab === text) ?? 'setup';
}

export function Screen() {
  const { t } = useTranslation('connections');
  const { storeId: id = '' } = useParams({ strict: false }) as { storeId?: string };
  const { id: programId, href } = useProgram();
  const read = useRead('providers.get', { path: { programId, id } }, { refreshMs: 5000 });
  const store = read.data;
  const trail = (
    <>
      <Link href={href('settings/stores')}>{t('storeTitle')}</Link> / {store?.name ?? '…'}
    </>
  );
  if (read.error && !store)
    return <FailedScreen error={read.error} read={read} what={t('store.whatOne')} title={t('storeTitleOne')} trail={trail} />;
  return (
    <Page
      title={store?.name ?? <Skeleton width="min(320px, 60vw)" height={30} />}
      lede={store === undefined ? undefined : t(`type.${store.type}`)}
      trail={trail}
      beside={store === undefined ? undefined : <ConnectionStatus status={store.status} />}
    >
      <Loaded read={read} what={t('store.whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(data) => <Content store={data} />}
      </Loaded>
    </Page>
  );
}

function Content({ store }: { store: Provider }) {
  const { t } = useTranslation('connections');
  const { can } = useProgram();
  const [tab, change] = useSearchState(readTab);
  const canWrite = can('stores.write');
  const panelId = useId();
  return (
    <Stack gap={20}>
      {canWrite ? <ConnectionActions provider={store} /> : null}
      <Tabs
        label={t('store.tab.label')}
        tabs={tabs.map((id) => ({ id, label: t(`store.tab.${id}`) }))}
        value={tab}
        panelId={panelId}
        onChange={(next) => change({ tab: next === 'setup' ? null : next, page: null })}
      />
      <div id={panelId} role="tabpanel" aria-label={t(`store.tab.${tab}`)}>
        {tab === 'setup' ? (
          <Stack gap={20}>
            <Card title={t('step.title')}>
              {store.status === 'archived' ? t('archive.erased') : <Setup provider={store} canWrite={canWrite} />}
            </Card>
            {canWrite && store.capabilities.includes('products') && store.status !== 'archived' ? <SyncCard store={store} /> : null}
          </Stack>
        ) : tab === 'events' ? (
          <Suspense
            fallback={
              <div aria-busy>
                <SkeletonText lines={8} />
              </div>
            }
          >
            <Events storeId={store.id} />
          </Suspense>
        ) : (
          <Coverage storeId={store.id} />
        )}
      </div>
    </Stack>
  );
}
