// A node of a Citus cluster that can be lost: for this database, the cluster and the service reach it only through a proxy, which ends
// all connections at once. Other databases of the cluster are not affected.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net';
import pg from 'pg';
import type { Database, Server } from './cluster.ts';

export type CutNode = {
  /** `host:port` as the cluster knows it. */
  address: string;
  /** Ends all connections to the node, and accepts none. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  restore(): Promise<void>;
  /** Ends a process of the node with SIGKILL, after which PostgreSQL ends all of them and recovers. Affects every database of the node. */
  crash(): Promise<void>;
  close(): Promise<void>;
};

/** Puts a proxy before a worker. Nothing else may use the database in the meantime. */
export async function openCutNode(database: Database, worker: Server): Promise<CutNode> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    const target = connect(worker.port, worker.host);
    for (const one of [socket, target]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        for (const other of [socket, target]) other.destroy();
      });
    }
    socket.pipe(target).pipe(socket);
  };
  let server: NetServer = createServer(accept).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { workers: _, ...coordinator } = database;
  await run(coordinator, `select citus_update_node(nodeid, '127.0.0.1', ${port}) from pg_dist_node where nodeport = ${worker.port}`);
  const cut = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server, 'close');
  };
  return {
    address: `127.0.0.1:${port}`,
    cut,
    async restore() {
      server = createServer(accept).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async crash() {
      const client = new pg.Client({ ...coordinator, ...worker });
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await client.query(`copy (select 1) to program 'kill -9 ${rows[0]?.pid}'`).catch(() => {});
      await client.end().catch(() => {});
    },
    close: cut,
  };
}

async function run(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(text);
  await client.end();
}
