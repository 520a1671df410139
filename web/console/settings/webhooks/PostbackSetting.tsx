// Whether affiliates may register postbacks. Turning it off stops all of them immediately and keeps their URLs.
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';

export function PostbackSetting() {
  const { t } = useTranslation('webhooks');
  const { id: programId, can } = useProgram();
  const read = useRead('programs.get', { path: { programId } });
  const update = useAction('programs.update', { invalidates: ['programs.get'] });
  const change = (allowsPostbacks: boolean) =>
    update.mutate(
      { path: { programId }, body: { allowsPostbacks } },
      {
        onSuccess: () => showToast(t(allowsPostbacks ? 'postbacks.on' : 'postbacks.off')),
        onError: (error) => showToast(error instanceof RequestError ? error.message : t('failed'), { tone: 'error' }),
      },
    );
  return (
    <Card title={t('postbacks.title')}>
      <Loaded read={read} what={t('postbacks.title')} skeleton={<SkeletonText lines={2} />}>
        {({ allowsPostbacks }) => (
          <Switch
            label={t('postbacks.label')}
            help={t(can('settings.write') ? 'postbacks.help' : 'postbacks.readOnly')}
            value={update.isPending ? (update.variables.body?.allowsPostbacks ?? allowsPostbacks) : allowsPostbacks}
            isDisabled={!can('settings.write')}
            onChange={change}
          />
        )}
      </Loaded>
    </Card>
  );
}
