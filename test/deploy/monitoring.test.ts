// The dashboard for Grafana and the alerting rules for Prometheus: each metric in them is served, with its labels.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { buildApp } from '../../server/main.ts';
import { type Metrics, openMetrics } from '../../server/operations/metrics/serve.ts';
import { openTestService, type TestService } from '../support/harness.ts';

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };

const dashboard: Dashboard = JSON.parse(readFileSync('deploy/grafana/tributary.json', 'utf8'));
const rules: Rules = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8'));
const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
];

describe('monitoring', () => {
  let service: TestService;
  let metrics: Metrics;
  let served: string;
  before(async () => {
    service = await openTestService();
    metrics = await openMetrics(service, { host: '127.0.0.1', port: 0 });
    const app = await buildApp(service.ctx, undefined, { metrics });
    await app.inject('/health/live');
    await app.close();
    served = await (await fetch(metrics.url)).text();
  });
  after(async () => {
    await metrics?.close();
    await service?.close();
  });

  const findUnknown = (expression: string) =>
    [...expression.matchAll(/\b(?:tributary|process|nodejs)_\w+/g)].map(([name]) => name).filter((name) => !served.includes(`\n${name}`));

  test('every metric of the dashboard and of the alerting rules is served', () => {
    assert.ok(expressions.length > 20, `${expressions.length} expressions`);
    assert.deepEqual(expressions.flatMap(findUnknown), []);
    assert.deepEqual(findUnknown('sum(tributary_nothing)'), ['tributary_nothing']);
  });

  test('every label value that they select is served', () => {
    const selected = expressions.flatMap((expression) => [...expression.matchAll(/(\w+)\{(\w+="\w+")\}/g)]);
    assert.ok(selected.length === 4, `${selected.length} selectors`);
    const missing = selected.filter(([, name, label = '']) => !served.match(new RegExp(`^${name}\\{[^}]*${label}`, 'm')));
    assert.deepEqual(
      missing.map(([all]) => all),
      [],
    );
  });
});
