import type { Input } from '../../api/call.ts';

/** Rules that are added, replaced or archived, but not saved. */
export type RuleChange = NonNullable<NonNullable<Input<'commissionRules.preview'>['body']>['rules']>;
