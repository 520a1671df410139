import { useTranslation } from 'react-i18next';
import type { Input, Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { useSettingsForm } from './use-settings-form.ts';

export type Program = Result<'programs.get'>;
type Update = NonNullable<Input<'programs.update'>['body']>;

type Mapping<Values> = { toValues: (program: Program) => Values; toUpdate: (values: Values) => Update };

/** The form of fields of the program. What needs a second person is announced when it is saved. */
export function useProgramForm<Values extends object>(program: Program, { toValues, toUpdate }: Mapping<Values>) {
  const { t } = useTranslation('settings');
  const update = useAction('programs.update', { invalidates: ['programs.get', 'appMe.get', 'overview.get'] });
  const { form, readChanges, callbacks } = useSettingsForm({
    stored: program,
    toValues,
    toUpdate,
    onSaved: (saved, before) => {
      const known = new Set(before.pendingChanges.map(({ id }) => id));
      showToast(t(saved.pendingChanges.some(({ id }) => !known.has(id)) ? 'savedWaiting' : 'saved'));
    },
  });
  const save = () => {
    if (form.hasChanges) update.mutate({ path: { programId: program.id }, body: readChanges() }, callbacks);
  };
  return { form, save, isBusy: update.isPending };
}
