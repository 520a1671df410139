import { Histogram, type Registry } from 'prom-client';
import type { ObservedResponse } from '../../platform/http/server.ts';

/** Measures responses by method, route and status: durations from a millisecond to ten seconds. */
export function measureRequests(registry: Registry): (response: ObservedResponse) => void {
  const durations = new Histogram({
    name: 'tributary_http_request_duration_seconds',
    help: 'Duration of HTTP requests. The route is the pattern, such as /v1/programs/:programId/affiliates.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds);
}
