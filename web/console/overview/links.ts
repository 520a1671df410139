// Where the items of the overview lead: to the screen that handles them.
import { type CurrentProgram, useProgram } from '../../session/program.ts';
import { type Screen, screens } from '../screens.ts';

/** A screen with its parameters. */
export type Target = { screen: string; search?: Readonly<Record<string, string>> };

/** Returns the address of a target; undefined for a screen that the member may not open. */
export function useTarget(): (target: Target) => string | undefined {
  const linkTo = useLinkTo();
  return ({ screen, search }) => linkTo(screen, search);
}

/** Returns the address of a screen's path with its parameters, or undefined. */
export function useLinkTo(): (path: string, search?: Readonly<Record<string, string>>) => string | undefined {
  const program = useProgram();
  return (path, search = {}) => linkTo(program, path, search);
}

function linkTo({ href, can }: CurrentProgram, path: string, search: Readonly<Record<string, string>>): string | undefined {
  const screen = screens.find((each) => matches(each, path));
  if (!screen || !can(screen.permission)) return undefined;
  const query = new URLSearchParams(search).toString();
  return href(query === '' ? path : `${path}?${query}`);
}

/** Whether a screen has this path: `affiliates/1` matches `affiliates/$affiliateId`. */
export function hasScreen(path: string): boolean {
  return screens.some((screen) => matches(screen, path));
}

function matches({ path }: Screen, given: string): boolean {
  const [expected, parts] = [path.replace(/^\//, '').split('/'), given.split('/')];
  return expected.length === parts.length && expected.every((part, index) => part.startsWith('$') || part === parts[index]);
}
