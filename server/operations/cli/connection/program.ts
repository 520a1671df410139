import { type Connection, type Program, requireKey } from './connection.ts';
import { get } from './send.ts';

type Me = { programId: string; program: { name: string; currency: string }; apiKey: { name: string; scopes: string[] } };

/** The program of the API key, and the key. */
export async function readMe(connection: Connection): Promise<Me> {
  requireKey(connection);
  return (await get(connection, '/v1/me')) as Me;
}

/** The program of the connection: stored in the profile, or looked up. */
export async function getProgram(connection: Connection): Promise<Program> {
  if (connection.program) return connection.program;
  const { programId, program } = await readMe(connection);
  return { id: programId, name: program.name, currency: program.currency };
}
