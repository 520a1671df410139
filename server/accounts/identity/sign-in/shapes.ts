import { z } from 'zod';
import type { DeclaredError } from '../../../platform/http/declaration/endpoint.ts';

/** Where the browser continues. Anything but a path of this service is ignored. */
export const nextField = z.string().max(2000).nullish().describe('The path to open after signing in; by default the console.');

export const SignedInShape = z
  .object({ redirectPath: z.string().describe('A path of this service. The session, if one was started, is in the Set-Cookie header.') })
  .meta({ id: 'SignedIn', example: { redirectPath: '/console' } });

export const singleSignOnRequired: DeclaredError = {
  status: 400,
  code: 'single_sign_on_required',
  when: 'The organization of the user requires single sign-on: start on the sign-in page.',
};
