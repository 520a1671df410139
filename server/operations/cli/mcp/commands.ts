// `mcp`: serves the API to assistants that speak the Model Context Protocol.
import { randomUUID } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Command } from 'commander';
import { addConnectionOptions } from '../api/commands.ts';
import { type ConnectionOptions, resolveConnection } from '../connection/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { serveHttp } from './http.ts';
import { createPlans } from './plans.ts';
import { createMcpServer } from './server.ts';

type McpOptions = ConnectionOptions & { http?: string };

export function mcpCommands(cli: Command, terminal: Terminal): void {
  const command = cli
    .command('mcp')
    .option('--http <address>', 'Serve streamable HTTP at an address such as 127.0.0.1:4010; each client sends its API key')
    .addHelpText('after', '\nWithout --http it speaks over standard input and output, with the API key of the connection.');
  addConnectionOptions(command);
  command.action((options: McpOptions) => serveMcp(options, { terminal, version: String(cli.version() ?? '') }));
}

async function serveMcp(options: McpOptions, { terminal, version }: { terminal: Terminal; version: string }): Promise<void> {
  const connection = await resolveConnection(terminal, options);
  const plans = createPlans({ now: Date.now, createToken: randomUUID });
  if (options.http !== undefined) {
    const { url } = await serveHttp({ address: options.http, connection, plans, version });
    terminal.note(`Serving ${connection.url} to MCP clients at ${url}. Press Ctrl-C to stop.`);
    return;
  }
  const server = await createMcpServer({ connection, plans, version });
  await server.connect(new StdioServerTransport());
}
