// The installations that a person works with, in a file that only they can read.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../command-error.ts';

export type Profile = {
  url: string;
  key: string;
  programId: string;
  programName: string;
  currency: string;
};

export type Profiles = { current: string | null; profiles: Record<string, Profile> };

export function profilesFile(env: Record<string, string | undefined>): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'tributary', 'profiles.json');
}

export async function readProfiles(env: Record<string, string | undefined>): Promise<Profiles> {
  const file = profilesFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { current: null, profiles: {} };
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not valid JSON. Correct it, or delete it and run \`tributary login\` again.`);
  }
}

/** Replaces the file as a whole, so that an interrupted command leaves the previous one. */
export async function writeProfiles(env: Record<string, string | undefined>, profiles: Profiles): Promise<void> {
  const file = profilesFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

export function getProfile({ profiles }: Profiles, name: string): Profile {
  const profile = profiles[name];
  if (profile) return profile;
  const known = Object.keys(profiles).join(', ');
  throw new CommandError(`No profile is named "${name}". ${known ? `Profiles: ${known}.` : 'Add one with `tributary login`.'}`);
}
