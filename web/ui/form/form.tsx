// A form: state, what changed, and the server's messages at their fields. The server validates; nothing is checked twice.
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFaultText } from './fault-text.ts';
import styles from './form.module.css';
import { type FieldErrors, fieldErrorsOf, isChanged, type ServerDetail } from './form-state.ts';
import { useUnsaved } from './unsaved.ts';

/** What a failed request has to say about the form. */
export type FormProblem = { message: string; details: readonly ServerDetail[] };

export type FormState<Values extends object> = {
  values: Values;
  errors: FieldErrors;
  /** A message that belongs to no field. */
  message: string | null;
  hasChanges: boolean;
  /** The props of one field. */
  field: <Name extends keyof Values & string>(name: Name) => Field<Values[Name]>;
  setValues: (values: Partial<Values>) => void;
  /** Shows what the server said. */
  setProblem: (problem: FormProblem | null) => void;
  /** Shows at these fields that they are required. */
  setMissing: (fields: readonly string[]) => void;
  /** Forgets the changes: these values are saved now. */
  reset: (values: Values) => void;
};

type Field<Value> = { name: string; value: Value; onChange: (value: Value) => void; error: string | undefined };

/** The state of a form. */
export function useForm<Values extends object>(initial: Values): FormState<Values> {
  const faultText = useFaultText();
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [message, setMessage] = useState<string | null>(null);
  const setProblem = (problem: FormProblem | null) => {
    const found = problem === null ? {} : fieldErrorsOf(problem.details, faultText, Object.keys(values));
    setErrors(found);
    setMessage(problem === null || Object.keys(found).length > 0 ? null : faultText(problem.message));
  };
  return {
    values,
    errors,
    message,
    hasChanges: isChanged(saved, values),
    field: (name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value) => {
        setValues((current) => ({ ...current, [name]: value }));
        setErrors((current) => without(current, name));
      },
    }),
    setValues: (changed) => setValues((current) => ({ ...current, ...changed })),
    setProblem,
    setMissing: (fields) => setProblem({ message: '', details: fields.map((field) => ({ path: [field], message: 'is required' })) }),
    reset: (next) => {
      setSaved(next);
      setValues(next);
      setErrors({});
      setMessage(null);
    },
  };
}

function without(errors: FieldErrors, name: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path !== name));
}

type FormProps<Values extends object> = {
  form: FormState<Values>;
  onSubmit: () => void;
  /** Below the fields. Leave out where a sheet's footer has the buttons, and give the form an `id` for them. */
  buttons?: ReactNode;
  id?: string;
  /** Submitting it saves nothing, so leaving doesn't ask about changes. */
  isTrial?: boolean;
  children: ReactNode;
};

/** Submits with Enter and ⌘S; after errors, the first field that has one gets the focus. */
export function Form<Values extends object>({ form, onSubmit, buttons, id, isTrial = false, children }: FormProps<Values>) {
  const root = useRef<HTMLFormElement>(null);
  useFocusOnErrors(root, form.errors);
  useSaveKey(root);
  useUnsaved(form.hasChanges && !isTrial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (focusUnreadable(root.current)) return;
    form.setProblem(null);
    onSubmit();
  };
  return (
    <form className={styles.form} ref={root} id={id} onSubmit={submit} noValidate>
      <Summary form={form} root={root} />
      {children}
      {buttons === undefined ? null : <div className={styles.buttons}>{buttons}</div>}
    </form>
  );
}

/** Focuses the first field of a form that can't be read. False if every field can be read. */
export function focusUnreadable(form: HTMLElement | null): boolean {
  // Such a field has no value: sending the form would leave it out.
  const unreadable = form?.querySelector<HTMLElement>('[data-unreadable]');
  unreadable?.focus();
  return Boolean(unreadable);
}

/** Fields side by side where there is room. */
export function FieldRow({ columns = 2, children }: { columns?: 2 | 3; children: ReactNode }) {
  return (
    <div className={styles.fields} data-columns={columns}>
      {children}
    </div>
  );
}

function Summary<Values extends object>({ form, root }: { form: FormState<Values>; root: RefObject<HTMLFormElement | null> }) {
  const { t } = useTranslation('ui');
  const entries = inFormOrder(root.current, form.errors);
  if (form.message !== null) {
    return (
      <div className={styles.summary} role="alert">
        {form.message}
      </div>
    );
  }
  if (entries.length < 2) return null;
  return (
    <div className={styles.summary} role="alert">
      <strong>{t('form.problems', { count: entries.length })}</strong>
      <ul>
        {entries.map(([path, text]) => (
          <li key={path}>
            <button type="button" onClick={() => fieldOf(root.current, path)?.focus()}>
              {labelOf(root.current, path)}: {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The errors in the order of their fields in the form; the server may check them in another one. */
function inFormOrder(form: HTMLFormElement | null, errors: FieldErrors): [path: string, text: string][] {
  const names = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].map(({ dataset }) => dataset.field);
  const placeOf = (path: string) => (names.includes(path) ? names.indexOf(path) : names.length);
  return Object.entries(errors).toSorted(([a], [b]) => placeOf(a) - placeOf(b));
}

function fieldOf(form: HTMLFormElement | null, path: string): HTMLElement | null {
  const marked = form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`) ?? null;
  return marked?.matches('input, textarea, select') ? marked : (marked?.querySelector<HTMLElement>('input, textarea, select') ?? marked);
}

function labelOf(form: HTMLFormElement | null, path: string): string {
  const field = fieldOf(form, path);
  const hasLabels = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
  return (hasLabels ? field.labels?.[0]?.textContent : null) ?? path;
}

function useFocusOnErrors(root: RefObject<HTMLFormElement | null>, errors: FieldErrors): void {
  const previous = useRef(errors);
  useEffect(() => {
    const hadNone = Object.keys(previous.current).length === 0;
    previous.current = errors;
    const [first] = inFormOrder(root.current, errors);
    if (hadNone && first !== undefined) fieldOf(root.current, first[0])?.focus();
  }, [root, errors]);
}

function useSaveKey(root: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      root.current?.requestSubmit();
    };
    document.addEventListener('keydown', save);
    return () => document.removeEventListener('keydown', save);
  }, [root]);
}
