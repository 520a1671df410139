import { createContext, useContext } from 'react';
import type { Me, Program } from './me.ts';
import type { Permission } from './roles.gen.ts';

export type CurrentProgram = Program & {
  user: Me['user'];
  /** Whether the user's role permits something here. */
  can: (permission: Permission) => boolean;
  /** The address of a screen of this program: `href('affiliates')`. */
  href: (path?: string) => string;
};

/** The home screen of the current app; "not found" pages link here. */
export const HomeContext = createContext('/console');

export const ProgramContext = createContext<CurrentProgram | null>(null);

/** The program that is open, with what the user may do in it. For components below the shell. */
export function useProgram(): CurrentProgram {
  const program = useContext(ProgramContext);
  if (!program) throw new Error('useProgram is used outside of a program.');
  return program;
}

/** Adds what components ask a program. */
export function toCurrentProgram(program: Program, user: Me['user']): CurrentProgram {
  const permissions = new Set<string>(program.permissions);
  return {
    ...program,
    user,
    can: (permission) => permissions.has(permission),
    href: (path = '') => `/console/${program.id}${path === '' || path.startsWith('/') || path.startsWith('?') ? path : `/${path}`}`,
  };
}
