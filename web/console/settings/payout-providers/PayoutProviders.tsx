// The payout providers of a program: which services send payouts, whether they work, and which one is the default.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Card, Facts, RowList } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Row, Stack } from '../../../ui/layout/stack.tsx';
import { Badge } from '../../../ui/marks/tag.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { useSearchState } from '../../../url/search-state.ts';
import { type RawSearch, readText } from '../../../url/url-state.ts';
import { ConnectionActions } from '../connections/ConnectionActions.tsx';
import { ConnectionStatus } from '../connections/ConnectionStatus.tsx';
import { ConnectSheet } from '../connections/ConnectSheet.tsx';
import type { Provider } from '../connections/catalogue.ts';
import styles from '../connections/connections.module.css';
import { Setup } from '../connections/Setup.tsx';

function readState(raw: RawSearch) {
  return { providerId: readText(raw, 'provider') ?? null, isConnecting: readText(raw, 'sheet') === 'connect' };
}

export function Screen() {
  const { t } = useTranslation('connections');
  const { id: programId, can } = useProgram();
  const [{ providerId, isConnecting }, change] = useSearchState(readState);
  const query = { kind: ['payout' as const], sort: 'createdAt' as const, limit: 200 };
  const read = useRead('providers.list', { path: { programId }, query }, { refreshMs: 15_000 });
  const canWrite = can('payout_providers.write');
  const connect = (
    <Button kind="primary" icon="plus" onClick={() => change({ sheet: 'connect' })}>
      {t('payout.connect')}
    </Button>
  );
  const open = read.data?.providers.find(({ id }) => id === providerId) ?? null;
  return (
    <Page title={t('payoutTitle')} lede={t('payout.lede')} width="reading" actions={canWrite ? connect : undefined}>
      <Card isFlush>
        <Loaded
          read={read}
          what={t('payout.what')}
          skeleton={
            <div className={styles.padded}>
              <SkeletonText lines={4} />
            </div>
          }
        >
          {({ providers }) =>
            providers.length === 0 ? (
              <EmptyState
                sample="rules"
                title={t('payout.empty.title')}
                text={t('payout.empty.text')}
                actions={canWrite ? connect : undefined}
              />
            ) : (
              <ProviderList providers={providers} onOpen={(id) => change({ provider: id })} />
            )
          }
        </Loaded>
      </Card>
      {canWrite ? (
        <ConnectSheet
          kind="payout"
          isOpen={isConnecting}
          onClose={() => change({ sheet: null })}
          onConnected={(id) => change({ sheet: null, provider: id })}
        />
      ) : null}
      <ProviderSheet provider={open} canWrite={canWrite} onClose={() => change({ provider: null })} />
    </Page>
  );
}

/** Archived ones are hidden until the user asks for them. */
function ProviderList({ providers, onOpen }: { providers: readonly Provider[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation('connections');
  const [showsArchived, setShowsArchived] = useState(false);
  const archived = providers.filter(({ status }) => status === 'archived');
  const shown = providers.filter(({ status }) => showsArchived || status !== 'archived');
  return (
    <>
      <RowList>
        {shown.map((provider) => (
          <ProviderItem key={provider.id} provider={provider} onOpen={() => onOpen(provider.id)} />
        ))}
      </RowList>
      {archived.length > 0 ? (
        <div className={styles.padded}>
          <Button kind="quiet" size="small" onClick={() => setShowsArchived(!showsArchived)} aria-expanded={showsArchived}>
            {t('archive.show', { count: archived.length })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function ProviderItem({ provider, onOpen }: { provider: Provider; onOpen: () => void }) {
  const { t } = useTranslation('connections');
  const { name, type, status, isDefault, mode } = provider;
  return (
    <li className={styles.item}>
      <div>
        <Row>
          <span className={styles.name}>{name}</span>
          {isDefault ? <Badge>{t('default.label')}</Badge> : null}
          {mode === 'test' ? <Badge>{t('mode.test')}</Badge> : null}
        </Row>
        <div className={styles.detail}>{t(`type.${type}`)}</div>
      </div>
      <div>
        <ConnectionStatus status={status} />
        <div className={styles.detail}>{provider.lastError}</div>
      </div>
      <Button size="small" aria-label={`${t('open')}: ${name}`} onClick={onOpen}>
        {t('open')}
      </Button>
    </li>
  );
}

function ProviderSheet({ provider, canWrite, onClose }: { provider: Provider | null; canWrite: boolean; onClose: () => void }) {
  const { t } = useTranslation('connections');
  return (
    <Sheet
      isOpen={provider !== null}
      onClose={onClose}
      title={provider?.name ?? ''}
      detail={provider === null ? undefined : t(`type.${provider.type}`)}
      width="wide"
    >
      {provider === null ? null : (
        <Stack key={provider.id} gap={24}>
          <Facts
            columns={3}
            rows={[
              { label: t('fact.status'), value: <ConnectionStatus status={provider.status} /> },
              { label: t('field.mode'), value: t(`mode.${provider.mode}`) },
              { label: t('fact.lastEvent'), value: provider.lastEventAt === null ? '–' : <DateTime value={provider.lastEventAt} /> },
            ]}
          />
          {canWrite ? <ConnectionActions provider={provider} /> : null}
          {provider.status === 'archived' ? null : <Setup provider={provider} canWrite={canWrite} />}
        </Stack>
      )}
    </Sheet>
  );
}
