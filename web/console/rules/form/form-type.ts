import type { FormState } from '../../../ui/form/form.tsx';
import type { RuleValues } from './rule-values.ts';

/** The form of a rule, as its parts receive it. */
export type RuleFormState = FormState<RuleValues>;
