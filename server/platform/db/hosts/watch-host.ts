// Checks whether one host is a primary or a standby, on a connection that stays open.
import pg from 'pg';
import type { HostState } from './choose-primary.ts';
import type { Host } from './parse-hosts.ts';

const timeoutMs = 1000;

export type WatchedHost = { look(): Promise<HostState>; close(): Promise<void> };

export function watchHost({ address, url }: Host): WatchedHost {
  let open: pg.Client | null = null;
  const close = async () => {
    const client = open;
    open = null;
    await client?.end().catch(() => undefined);
  };
  return {
    close,
    async look() {
      try {
        open ??= await openConnection(url);
        return { address, ...(await readState(open)) };
      } catch (error) {
        await close();
        return { address, kind: 'unreachable', reason: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function openConnection(connectionString: string): Promise<pg.Client> {
  const timeouts = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const client = new pg.Client({ connectionString, ...timeouts, keepAlive: true, application_name: 'tributary hosts' });
  // The next query fails.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function readState(client: pg.Client): Promise<{ kind: 'primary' | 'standby'; databaseId: string }> {
  const { rows } = await client.query<{ isStandby: boolean; databaseId: string }>(
    'select pg_is_in_recovery() as "isStandby", system_identifier::text as "databaseId" from pg_control_system()',
  );
  const { isStandby = true, databaseId = '' } = rows[0] ?? {};
  return { kind: isStandby ? 'standby' : 'primary', databaseId };
}
