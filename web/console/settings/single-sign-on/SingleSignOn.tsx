// How members sign in through the OpenID Connect provider of their organization: the provider, and the domains that use it.
import { useTranslation } from 'react-i18next';
import type { Input } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { roles } from '../../../session/roles.gen.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { FieldCard, SettingsForm, SettingsSkeleton } from '../form/SettingsForm.tsx';
import { useSettingsForm } from '../form/use-settings-form.ts';
import { DomainsCard } from './DomainsCard.tsx';
import type { SingleSignOn } from './settings.ts';
import { TurnOff } from './TurnOff.tsx';

type DefaultRole = SingleSignOn['defaultRole'];
type Update = NonNullable<Input<'singleSignOn.update'>['body']>;
type Values = { issuer: string; clientId: string; clientSecret: string; defaultRole: DefaultRole };

export function Screen() {
  const { t } = useTranslation('single-sign-on');
  const { id: programId } = useProgram();
  const read = useRead('singleSignOn.get', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede')} width="reading">
      <Loaded read={read} what={t('what')} skeleton={<SettingsSkeleton />}>
        {(stored) => (
          <Stack gap={20}>
            {stored.canChange ? <ProviderForm stored={stored} /> : <NotOwner stored={stored} />}
            <DomainsCard stored={stored} />
            {stored.canChange && stored.issuer !== null ? <TurnOff /> : null}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function ProviderForm({ stored }: { stored: SingleSignOn }) {
  const { t } = useTranslation(['single-sign-on', 'shell']);
  const { id: programId } = useProgram();
  const update = useAction('singleSignOn.update', { invalidates: ['singleSignOn.get'] });
  const { form, readChanges, callbacks } = useSettingsForm<SingleSignOn, Values, Update>({
    stored,
    toValues,
    toUpdate,
    onSaved: () => showToast(t('saved')),
  });
  const save = () => {
    if (form.hasChanges) update.mutate({ path: { programId }, body: readChanges() }, callbacks);
  };
  const options = roles.filter((each) => each !== 'owner').map((value) => ({ value, label: t(`shell:role.${value}`) }));
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={update.isPending}>
      <FieldCard title={t('provider')} detail={stored.organizationName}>
        <div>
          <Text size="small">{t('redirectUrl')}</Text>
          <CopyButton value={stored.redirectUrl} isMono />
        </div>
        <TextInput {...form.field('issuer')} label={t('issuer')} help={t('issuerHelp')} type="url" isMono maxLength={500} />
        <TextInput {...form.field('clientId')} label={t('clientId')} isMono maxLength={500} autoComplete="off" />
        <TextInput
          {...form.field('clientSecret')}
          label={t('clientSecret')}
          help={stored.issuer === null ? t('secretHelp') : t('secretStored')}
          type="password"
          isMono
          maxLength={2000}
          autoComplete="new-password"
        />
        <Select {...form.field('defaultRole')} label={t('defaultRole')} help={t('defaultRoleHelp')} options={options} />
      </FieldCard>
    </SettingsForm>
  );
}

/** Other owners see the settings. */
function NotOwner({ stored }: { stored: SingleSignOn }) {
  const { t } = useTranslation('single-sign-on');
  return (
    <Card title={t('provider')} detail={stored.organizationName}>
      <Text>{stored.issuer === null ? t('off') : stored.issuer}</Text>
      <Text size="small">{t('notOwner', { organization: stored.organizationName })}</Text>
    </Card>
  );
}

function toValues({ issuer, clientId, defaultRole }: SingleSignOn): Values {
  return { issuer: issuer ?? '', clientId: clientId ?? '', clientSecret: '', defaultRole };
}

function toUpdate({ clientSecret, ...values }: Values): Update {
  return clientSecret === '' ? values : { ...values, clientSecret };
}
