import type { Result } from '../../../api/call.ts';

/** The single sign-on of the program's organization. */
export type SingleSignOn = Result<'singleSignOn.get'>;
