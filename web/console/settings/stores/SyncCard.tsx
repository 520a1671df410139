// Imports the products of a store into the catalogue, and creates coupon codes in the store.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Count } from '../../../ui/figures/count.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { attempt } from '../connections/attempt.ts';
import type { Provider } from '../connections/catalogue.ts';

const keys = ['apiKey', 'accessToken', 'consumerKey'];

export function SyncCard({ store }: { store: Provider }) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const [synced, setSynced] = useState<Result<'providers.sync'> | null>(null);
  const sync = useAction('providers.sync', { invalidates: ['providers.get', 'products.list', 'productTable.list'] });
  const hasKeys = store.configuredSecrets.some((name) => keys.includes(name));
  const run = () => attempt(async () => setSynced(await sync.mutateAsync({ path: { programId, id: store.id } })));
  return (
    <Card title={t('sync.title')}>
      <Stack gap={12}>
        <Text>{t(hasKeys ? 'sync.text' : 'sync.needsKeys')}</Text>
        {hasKeys ? (
          <div>
            <Button icon="refresh" isBusy={sync.isPending} onClick={() => void run()}>
              {t('sync.action')}
            </Button>
          </div>
        ) : null}
        <div role="status">{synced === null ? null : <Outcome synced={synced} />}</div>
      </Stack>
    </Card>
  );
}

function Outcome({ synced: { products, coupons } }: { synced: Result<'providers.sync'> }) {
  const { t } = useTranslation('connections');
  return (
    <Facts
      columns={3}
      rows={[
        { label: t('sync.created'), value: <Count value={products?.created ?? 0} /> },
        { label: t('sync.updated'), value: <Count value={products?.updated ?? 0} /> },
        { label: t('sync.unchanged'), value: <Count value={products?.unchanged ?? 0} /> },
        { label: t('sync.invalid'), value: <Count value={products?.invalid ?? 0} /> },
        { label: t('sync.linked'), value: <Count value={coupons?.linked ?? 0} /> },
        { label: t('sync.rejected'), value: <Count value={coupons?.rejected ?? 0} /> },
      ]}
    />
  );
}
