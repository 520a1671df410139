// The installation and the API key that a command uses: options first, then variables of the environment, then the
// profile, then the installation of this machine.
import { CommandError, exitCodes, UsageError } from '../command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findDemoKey, localUrl } from './local.ts';
import { getProfile, type Profile, readProfiles } from './profiles.ts';

export type ConnectionOptions = { url?: string; key?: string; profile?: string };

/** The program of an API key. */
export type Program = { id: string; name: string; currency: string };

export type Connection = {
  url: string;
  key: string | null;
  /** Stored in the profile; otherwise looked up when it is needed. */
  program: Program | null;
};

export async function resolveConnection({ env }: Pick<Terminal, 'env'>, options: ConnectionOptions): Promise<Connection> {
  const profile = await findProfile(env, options);
  const given = options.url ?? (options.profile ? undefined : env.TRIBUTARY_URL || undefined);
  const url = given === undefined ? (profile?.url ?? localUrl(env)) : parseUrl(given);
  if (url === null) throw new UsageError('PORT is 0, so the port of the local installation is not known. Pass --url.');
  // A key is sent only to the installation that it was stored for.
  const stored = profile?.url === url ? profile : null;
  const key = options.key ?? (options.profile ? null : env.TRIBUTARY_API_KEY || null) ?? stored?.key;
  if (key) return { url, key, program: key === stored?.key ? toProgram(stored) : null };
  return { url, key: url === localUrl(env) ? await findDemoKey(env) : null, program: null };
}

async function findProfile(env: Terminal['env'], options: ConnectionOptions): Promise<Profile | null> {
  const profiles = await readProfiles(env);
  const name = options.profile ?? (env.TRIBUTARY_PROFILE || profiles.current);
  return name === null ? null : getProfile(profiles, name);
}

/** An address without a path at its end. Throws UsageError. */
export function parseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--url must start with https:// or http://, not "${text}".`);
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function toProgram({ programId, programName, currency }: Profile): Program {
  return { id: programId, name: programName, currency };
}

export function requireKey({ url, key }: Connection): string {
  if (key !== null) return key;
  const { notAllowed } = exitCodes;
  throw new CommandError(`No API key for ${url}. Run \`tributary login\`, or set TRIBUTARY_API_KEY.`, notAllowed);
}
