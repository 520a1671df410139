// What the signed-in member is emailed about in this program: at once, each morning or not.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { Channels } from './Channels.tsx';
import { LargeOrders } from './LargeOrders.tsx';

type Setting = Result<'notificationSettings.get'>['notifications'][number];

const deliveries = ['at_once', 'daily', 'off'] as const;

export function Screen() {
  const { t } = useTranslation('notifications');
  const { id: programId, user, can } = useProgram();
  const read = useRead('notificationSettings.get', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede', { email: user.email })} width="reading">
      <Stack gap={20}>
        <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={8} />}>
          {({ notifications }) => <Settings settings={notifications.filter(({ canAct }) => canAct)} />}
        </Loaded>
        {can('webhooks.write') ? <Channels /> : null}
        {can('settings.write') ? <LargeOrders /> : null}
      </Stack>
    </Page>
  );
}

function Settings({ settings }: { settings: readonly Setting[] }) {
  const { t } = useTranslation('notifications');
  const { id: programId } = useProgram();
  const update = useAction('notificationSettings.update', { invalidates: ['notificationSettings.get'] });
  const pending = update.isPending ? update.variables.body?.notifications[0] : undefined;
  const change = ({ kind }: Setting, delivery: Setting['delivery']) =>
    update.mutate(
      { path: { programId }, body: { notifications: [{ kind, delivery }] } },
      {
        onSuccess: () => showToast(t('saved'), { tone: 'success' }),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  if (settings.length === 0) return <Text>{t('none')}</Text>;
  return (
    <Card title={t('emails')} detail={t('detail')}>
      <Stack gap={16}>
        {settings.map((setting) => (
          <Select
            key={setting.kind}
            label={t(`kind.${setting.kind}`)}
            options={deliveries.map((value) => ({ value, label: t(`delivery.${value}`) }))}
            value={pending?.kind === setting.kind ? pending.delivery : setting.delivery}
            onChange={(value) => value !== null && change(setting, value)}
          />
        ))}
      </Stack>
    </Card>
  );
}
