// What the public pages and emails of the program look like, and what they always say.
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import type { FormState } from '../../../ui/form/form.tsx';
import { InlineList } from '../../../ui/layout/inline-list.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { FieldCard, SettingsForm, SettingsSkeleton } from '../form/SettingsForm.tsx';
import { useSettingsForm } from '../form/use-settings-form.ts';
import { type Brand, type BrandUpdate, type BrandValues, toUpdate, toValues } from './brand-values.ts';
import { ColorInput } from './ColorInput.tsx';
import { LogoField } from './LogoField.tsx';
import { Sample } from './Sample.tsx';

export function Screen() {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const read = useRead('brand.get', { path: { programId } });
  return (
    <Page title={t('brandTitle')} lede={t('brand.lede')}>
      <Loaded read={read} what={t('brand.what')} skeleton={<SettingsSkeleton />}>
        {(stored) => <Settings stored={stored} />}
      </Loaded>
    </Page>
  );
}

function Settings({ stored }: { stored: Brand }) {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const update = useAction('brand.update', { invalidates: ['brand.get', 'emailPreview.get', 'appMe.get', 'overview.get'] });
  const { form, readChanges, callbacks } = useSettingsForm<Brand, BrandValues, BrandUpdate>({
    stored,
    toValues,
    toUpdate,
    onSaved: () => showToast(t('saved')),
  });
  const save = () => {
    if (form.hasChanges) update.mutate({ path: { programId }, body: readChanges() }, callbacks);
  };
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={update.isPending} aside={<Sample values={form.values} />}>
      <FieldCard title={t('brand.look')}>
        <LogoField {...form.field('logoUrl')} label={t('brand.logo')} />
        <ColorInput {...form.field('color')} label={t('brand.color')} help={t('brand.colorHelp')} />
      </FieldCard>
      <Texts form={form} />
    </SettingsForm>
  );
}

function Texts({ form }: { form: FormState<BrandValues> }) {
  const { t } = useTranslation('settings');
  const { href } = useProgram();
  return (
    <FieldCard title={t('brand.texts')}>
      <TextArea {...form.field('disclosure')} label={t('brand.disclosure')} help={t('brand.disclosureHelp')} maxLength={500} rows={2} />
      <TextArea {...form.field('disclaimer')} label={t('brand.disclaimer')} help={t('brand.disclaimerHelp')} maxLength={2000} rows={3} />
      <TextArea {...form.field('restrictedPhrases')} label={t('brand.phrases')} help={t('brand.phrasesHelp')} rows={3} />
      <Text size="small">
        <InlineList>
          <span>
            {t('brand.elsewhere')} <Link href={href('settings/join-page')}>{t('brand.joinPage')}</Link>
          </span>
          <Link href={href('settings/emails')}>{t('brand.emails')}</Link>
        </InlineList>
      </Text>
    </FieldCard>
  );
}
