// Connections to the primary of several hosts. A standby that is promoted takes over without a restart: connections to
// other hosts are closed, and new ones go to the host that accepts writes.
import net from 'node:net';
import pg from 'pg';
import type { Logger } from 'pino';
import { repeat } from '../../lib/concurrency/repeat.ts';
import type { Connection } from '../connect.ts';
import { type Choice, choosePrimary, describeHosts, type HostState } from './choose-primary.ts';
import { type Host, parseHosts } from './parse-hosts.ts';
import { watchHost } from './watch-host.ts';

const intervalMs = 500;

/** No host, or more than one, is a primary, so nothing may be written. The message is public. */
export class NoPrimary extends Error {
  /** cannot_connect_now: callers are asked to try again. */
  readonly code = '57P03';
}

export type Hosts = {
  /** Connections of `pg` that are opened with it go to the primary. */
  connection: Connection;
  close(): Promise<void>;
};

/**
 * The hosts of a DATABASE_URL. A single host is not watched. Throws if none or more than one of several is a primary,
 * or they have different databases.
 */
export async function openHosts(databaseUrl: string, log: Pick<Logger, 'warn' | 'error'>): Promise<Hosts> {
  const hosts = parseHosts(databaseUrl);
  if (!hosts) throw new Error('DATABASE_URL is not valid.');
  if (hosts.length === 1) return { connection: { connectionString: databaseUrl }, close: async () => {} };
  const watched = hosts.map(watchHost);
  const close = async () => void (await Promise.all(watched.map((host) => host.close())));
  const look = () => Promise.all(watched.map((host) => host.look()));
  const states = await look();
  const first = choosePrimary(states, null);
  if ('fault' in first) {
    await close();
    throw new Error(`DATABASE_URL: ${first.fault} ${describeHosts(states)}.`);
  }
  const { Client, follow } = createClients(hosts, first.address);
  let current: Choice = first;
  const stop = repeat(intervalMs, async () => {
    const found = await look();
    const next = choosePrimary(found, 'address' in current ? current.address : null);
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    report(log, next, found);
    current = next;
    follow(next);
  });
  return {
    connection: { Client },
    async close() {
      await stop();
      await close();
    },
  };
}

function report(log: Pick<Logger, 'warn' | 'error'>, choice: Choice, states: readonly HostState[]): void {
  const hosts = describeHosts(states);
  if ('fault' in choice) log.error({ hosts }, `the database is not used: ${choice.fault}`);
  else log.warn({ hosts, primary: choice.address }, 'the primary of the database changed');
}

/** A class of connections to the host that `follow` named last. */
function createClients(hosts: readonly Host[], first: string): { Client: typeof pg.Client; follow(choice: Choice): void } {
  const sockets = new Map<net.Socket, string>();
  let choice: Choice = { address: first };
  const findHost = () => hosts.find(({ address }) => 'address' in choice && address === choice.address);
  const open = (): net.Socket => {
    const host = findHost();
    if (!host) return new RejectedSocket(new NoPrimary('fault' in choice ? choice.fault : undefined));
    const socket = new net.Socket();
    sockets.set(socket, host.address);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  class PrimaryClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionString: (findHost() ?? hosts[0])?.url, stream: open });
    }
  }
  return {
    Client: PrimaryClient,
    follow(next) {
      choice = next;
      const kept = findHost()?.address;
      for (const [socket, address] of sockets) if (address !== kept) socket.destroy(new Error('Connection terminated'));
    },
  };
}

/** Fails instead of connecting. */
class RejectedSocket extends net.Socket {
  readonly #error: Error;
  constructor(error: Error) {
    super();
    this.#error = error;
  }
  override connect(): this {
    return this.destroy(this.#error);
  }
}
