// The form of a part of the settings: it sends only the fields that were changed, and shows what others save while nothing
// is typed.
import { useEffect, useRef, useState } from 'react';
import type { RequestError } from '../../../api/errors.ts';
import { type FormState, useForm } from '../../../ui/form/form.tsx';
import { changedFields } from './changed-fields.ts';

type Options<Stored, Values, Update> = {
  stored: Stored;
  toValues: (stored: Stored) => Values;
  /** All fields as the API accepts them. */
  toUpdate: (values: Values) => Update;
  onSaved: (saved: Stored, before: Stored) => void;
};

type SettingsForm<Stored, Values extends object, Update> = {
  form: FormState<Values>;
  /** The changed fields. */
  readChanges: () => Partial<Update>;
  callbacks: { onSuccess: (saved: Stored) => void; onError: (error: RequestError) => void };
};

export function useSettingsForm<Stored extends object, Values extends object, Update extends object>({
  stored,
  toValues,
  toUpdate,
  onSaved,
}: Options<Stored, Values, Update>): SettingsForm<Stored, Values, Update> {
  const [base, setBase] = useState(stored);
  const form = useForm(toValues(stored));
  const adopt = (next: Stored) => {
    setBase(next);
    form.reset(toValues(next));
  };
  const latest = useRef({ adopt, hasChanges: form.hasChanges });
  latest.current = { adopt, hasChanges: form.hasChanges };
  useEffect(() => {
    if (!latest.current.hasChanges) latest.current.adopt(stored);
  }, [stored]);
  return {
    form,
    readChanges: () => changedFields(toUpdate(toValues(base)), toUpdate(form.values)),
    callbacks: {
      onError: form.setProblem,
      onSuccess: (saved) => {
        onSaved(saved, base);
        adopt(saved);
      },
    },
  };
}
