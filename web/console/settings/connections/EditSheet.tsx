// Editing the name and the settings of a connection. Secrets are never shown: an empty field keeps what is stored.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { currencyCodes } from '../../../ui/figures/currencies.gen.ts';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { MultiSelect, Select } from '../../../ui/form/select.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { attempt } from './attempt.ts';
import { getConnectable, type Provider } from './catalogue.ts';
import { SettingFields } from './SettingFields.tsx';
import { type Mode, toChangedSettings, toValues, withMode, withoutSecrets } from './setting-values.ts';

/** `status`: also set, to restore an archived provider together with its secrets. */
type Props = { provider: Provider; isOpen: boolean; onClose: () => void; status?: 'connected' };

export function EditSheet({ provider, isOpen, onClose, status }: Props) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const formId = useId();
  const connectable = getConnectable(provider.type);
  const [saved, setSaved] = useState(() => toValues(connectable, provider, provider.mode, provider.name));
  const form = useForm(saved);
  const update = useAction('providers.update', { invalidates: ['providers.list', 'providers.get', 'overview.get'] });
  const close = () => {
    form.reset(saved);
    onClose();
  };
  useStepUp(isOpen, close);
  const submit = async () => {
    const changed = toChangedSettings(connectable.settings, form.values, saved);
    const { name, mode, currencies } = form.values;
    const body = Object.assign(
      { name, mode, currencies },
      changed,
      status === undefined ? {} : { status },
    ) as Input<'providers.update'>['body'];
    const isSaved = await attempt(() => update.mutateAsync({ path: { programId, id: provider.id }, body }), form);
    if (!isSaved) return;
    showToast(t('edit.saved'));
    const stored = withoutSecrets(connectable, form.values);
    setSaved(stored);
    form.reset(stored);
    onClose();
  };
  const setMode = (next: Mode | null) => {
    if (next !== null) form.setValues(withMode(connectable, form.values, next));
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t(status === undefined ? 'edit.title' : 'archive.restoreTitle', { name: provider.name })}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={formId} isBusy={update.isPending}>
          {t(status === undefined ? 'edit.save' : 'archive.restore')}
        </Button>
      }
    >
      <Form form={form} id={formId} onSubmit={() => void submit()}>
        <TextInput {...form.field('name')} label={t('field.name')} help={t('field.nameHelp')} maxLength={100} isRequired />
        {provider.type === 'manual' || provider.type === 'csv' ? null : (
          <Select
            {...form.field('mode')}
            onChange={setMode}
            label={t('field.mode')}
            help={t(`field.modeHelp.${provider.kind}`)}
            options={(['live', 'test'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
          />
        )}
        {provider.kind === 'payout' ? (
          <MultiSelect
            {...form.field('currencies')}
            label={t('field.currencies')}
            help={t('field.currenciesHelp')}
            options={currencyCodes.map((value) => ({ value, label: value }))}
          />
        ) : null}
        <SettingFields settings={connectable.settings} form={form} provider={provider} />
      </Form>
    </Sheet>
  );
}
