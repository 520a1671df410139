// The form of something that others may edit at the same time. Changes of different fields are merged; where both changed
// one field, nothing is saved until the user has chosen a version.
import { useEffect, useRef, useState } from 'react';
import { RequestError } from '../../api/errors.ts';
import { type FormProblem, type FormState, useForm } from '../../ui/form/form.tsx';
import { showProblem } from '../show-problem.ts';
import { findClashes, mergeValues } from './merge.ts';

type Conflict<Stored> = { current: Stored; changedBy: string | null; changedAt: string | null };

type Options<Stored, Values> = {
  stored: Stored;
  toValues: (stored: Stored) => Values;
  /** Reads the current version. */
  load: () => Promise<Stored>;
  /** Sends what differs from `base`, with its version as `If-Match`. Returns what the form shows from then on, if it stays. */
  save: (edit: { base: Stored; values: Values }) => Promise<Stored | undefined>;
  onSaved?: () => void;
  toProblem?: (error: RequestError) => FormProblem;
};

export type Edit<Stored, Values extends object> = {
  form: FormState<Values>;
  /** What the form is based on. */
  base: Stored;
  conflict: Conflict<Stored> | null;
  isBusy: boolean;
  submit: () => void;
  /** Ends a conflict with the version that the user chose. */
  resolve: (choice: 'mine' | 'theirs') => void;
};

/** Others may save again while a merge is being sent. */
const maxMerges = 3;

export function useEdit<Stored extends { version: string }, Values extends object>({
  stored,
  toValues,
  load,
  save,
  onSaved,
  toProblem,
}: Options<Stored, Values>): Edit<Stored, Values> {
  const [base, setBase] = useState(stored);
  const [conflict, setConflict] = useState<Conflict<Stored> | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useForm(toValues(stored));
  const adopt = (next: Stored, values: Values = toValues(next)) => {
    setBase(next);
    form.reset(toValues(next));
    form.setValues(values);
    setConflict(null);
  };
  useFollow(stored, form.hasChanges, adopt);
  const attempt = async (from: Stored, values: Values, merges: number): Promise<void> => {
    try {
      const saved = await save({ base: from, values });
      if (saved !== undefined) adopt(saved);
      onSaved?.();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.status !== 412 || merges === maxMerges) return form.setProblem(toProblem?.(error) ?? error);
      const current = await load();
      const versions = { base: toValues(from), mine: values, theirs: toValues(current) };
      if (findClashes(versions).length > 0) return setConflict({ current, ...readChange(error) });
      const merged = mergeValues(versions);
      adopt(current, merged);
      await attempt(current, merged, merges + 1);
    }
  };
  const submit = () => {
    setIsBusy(true);
    void attempt(base, form.values, 0)
      .catch(showProblem)
      .finally(() => setIsBusy(false));
  };
  const resolve = (choice: 'mine' | 'theirs') => {
    if (conflict === null) return;
    const theirs = toValues(conflict.current);
    adopt(conflict.current, choice === 'mine' ? mergeValues({ base: toValues(base), mine: form.values, theirs }) : theirs);
  };
  return { form, base, conflict, isBusy, submit, resolve };
}

/** Shows what others save while nothing is typed. */
function useFollow<Stored>(stored: Stored, hasChanges: boolean, adopt: (next: Stored) => void): void {
  const latest = useRef({ adopt, hasChanges });
  latest.current = { adopt, hasChanges };
  useEffect(() => {
    if (!latest.current.hasChanges) latest.current.adopt(stored);
  }, [stored]);
}

/** Who made the conflicting change, and when. */
function readChange({ body }: RequestError): Omit<Conflict<unknown>, 'current'> {
  const { changedBy, changedAt } = body as { changedBy?: { name: string | null } | null; changedAt?: string | null };
  return { changedBy: changedBy?.name ?? null, changedAt: changedAt ?? null };
}
