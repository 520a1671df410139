// Addresses of other screens, only as far as they exist: what can't be opened yet is shown without a link.
import { type Screen, screens } from '../screens.ts';
import { type CurrentProgram, useProgram } from '../session/program.ts';

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

/** `affiliates/1` matches `affiliates/$affiliateId`. */
function matches({ path }: Screen, given: string): boolean {
  const [expected, parts] = [path.replace(/^\//, '').split('/'), given.split('/')];
  return expected.length === parts.length && expected.every((part, index) => part.startsWith('$') || part === parts[index]);
}
