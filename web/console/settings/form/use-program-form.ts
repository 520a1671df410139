import { useTranslation } from 'react-i18next';
import { call, type Input, type Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import type { FieldTexts } from '../../../states/edit/StaleNotice.tsx';
import { useEdit } from '../../../states/edit/use-edit.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { changedFields } from './changed-fields.ts';

export type Program = Result<'programs.get'>;
type Update = NonNullable<Input<'programs.update'>['body']>;

type Mapping<Values> = {
  toValues: (program: Program) => Values;
  toUpdate: (values: Values) => Update;
  texts: FieldTexts<Program, Values>;
};

/** The form of fields of the program. What needs a second person is announced when it is saved. */
export function useProgramForm<Values extends object>(program: Program, { toValues, toUpdate, texts }: Mapping<Values>) {
  const { t } = useTranslation('settings');
  const path = { programId: program.id };
  const update = useAction('programs.update', { invalidates: ['programs.get', 'appMe.get', 'overview.get', 'exchangeRates.status'] });
  const edit = useEdit({
    stored: program,
    toValues,
    load: () => call('programs.get', { path }),
    save: async ({ base, values }) => {
      const body = changedFields<Update>(toUpdate(toValues(base)), toUpdate(values));
      const saved = await update.mutateAsync({ path, body, ifMatch: base.version });
      const known = new Set(base.pendingChanges.map(({ id }) => id));
      showToast(t(saved.pendingChanges.some(({ id }) => !known.has(id)) ? 'savedWaiting' : 'saved'));
      return saved;
    },
  });
  const { form, isBusy, conflict } = edit;
  const save = () => {
    if (form.hasChanges && conflict === null) edit.submit();
  };
  return { form, save, isBusy, stale: { edit, toValues, labels: texts.labels, show: texts.show } };
}
