// The tests that run on a Citus cluster: `CITUS_URL=postgres://… npm test -- --citus`. The repository neither contains nor
// downloads Citus, so without a cluster they are skipped.

/** What a cluster answers differently than one PostgreSQL, and what the service promises on both. */
export const citusTests = [
  'server/platform/db/cluster/on-cluster.test.ts',
  'server/platform/db/cluster/restored-node.test.ts',
  'server/platform/audit/audit.test.ts',
  'server/earning/conversions/lists.test.ts',
  'server/earning/conversions/order.test.ts',
  'server/earning/conversions/reading.test.ts',
  'server/earning/conversions/report.test.ts',
  'server/messaging/webhooks/dispatch/dispatch.test.ts',
  'server/messaging/webhooks/postbacks/postbacks.test.ts',
  'server/operations/metrics/metrics.test.ts',
  'server/paying/invoices/invoices.test.ts',
  'server/paying/payouts/dispatch.test.ts',
  'test/every-endpoint.test.ts',
  'test/hosts/cluster-commands.test.ts',
  'test/hosts/cluster-nodes.test.ts',
  'test/money/change-races.test.ts',
  'test/money/race.test.ts',
  'test/one-program-fails.test.ts',
  'test/simulation/simulation.test.ts',
];

/** Which tests were not run, by name and number. */
export function describeSkipped(files: readonly string[] = citusTests): string {
  return `  Skipped ${files.length} test files on a Citus cluster, because CITUS_URL is not set:\n${files.map((file) => `    ${file}`).join('\n')}`;
}
