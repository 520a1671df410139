// The Helm chart, rendered by Helm and checked against the schemas of Kubernetes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { settings } from '../../server/config.ts';
import { openTestService, type TestService } from '../support/harness.ts';

const required = { publicUrl: 'https://partners.example.com', existingSecret: 'tributary' };
const everything = {
  ...required,
  image: { repository: 'registry.example.com/tributary', tag: '0.1.0' },
  imagePullSecrets: [{ name: 'registry' }],
  settings: { LOG_LEVEL: 'info', DATABASE_POOL_MAX: 40 },
  trustedProxies: ['10.0.0.0/8', '192.168.0.0/16'],
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate', annotations: { note: 'text' } },
  metrics: { podMonitor: true },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

type Probe = { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
type Container = {
  name: string;
  image: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string } } }[];
  ports: { name: string }[];
  securityContext: object;
  volumeMounts: { mountPath: string }[];
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe | undefined>;
type Rendered = {
  kind: string;
  metadata: { name: string };
  spec: { replicas: number; template: { spec: { securityContext: object; containers: [Container] } } };
};

function runHelm(command: string[], values: object) {
  const run = spawnSync('node_modules/.bin/helm', [...command, '--values', '-'], { encoding: 'utf8', input: JSON.stringify(values) });
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

function render(values: object): Rendered[] {
  const { stdout, stderr, status } = runHelm(['template', 'demo', 'deploy/helm/tributary'], values);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

function readContainers(values: object): Container[] {
  return render(values).flatMap(({ kind, spec }) => (kind === 'Deployment' ? spec.template.spec.containers : []));
}

const schemas = { Deployment, Ingress, PodDisruptionBudget, Service };

describe('the Helm chart', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service?.close());

  test('passes the linter of Helm', () => {
    const { status, stdout } = runHelm(['lint', '--strict', 'deploy/helm/tributary'], everything);
    assert.equal(status, 0, stdout);
  });

  test('renders objects that Kubernetes accepts, with few and with all values', () => {
    const kinds = [required, everything].map((values) =>
      render(values).map((object) => {
        if (object.kind in schemas) new schemas[object.kind as keyof typeof schemas](object as never).validate();
        return object.kind;
      }),
    );
    assert.deepEqual(kinds, [
      ['PodDisruptionBudget', 'Service', 'Deployment', 'Deployment'],
      ['PodDisruptionBudget', 'Service', 'Deployment', 'Deployment', 'Ingress', 'PodMonitor'],
    ]);
    const [, broken] = render(required);
    assert.throws(() => new Service({ ...broken, spec: { ports: [{ port: 'eighty' }] } } as never).validate(), /port/);
  });

  test('runs every process as an ordinary user on a read-only file system', () => {
    const deployments = render(everything).filter(({ kind }) => kind === 'Deployment');
    assert.equal(deployments.length, 2);
    for (const { spec } of deployments) {
      const { securityContext, containers } = spec.template.spec;
      assert.deepEqual(securityContext, {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [{ securityContext: inner, volumeMounts }] = containers;
      assert.deepEqual(inner, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
      assert.deepEqual(
        volumeMounts.map(({ mountPath }) => mountPath),
        ['/tmp', '/data'],
      );
    }
  });

  test('sets only settings that exist, and reads secrets from the Secret that it was given', () => {
    for (const { env } of readContainers(everything)) {
      assert.deepEqual(
        env.filter(({ name }) => !(name in settings)),
        [],
      );
      const fromSecret = env.filter(({ valueFrom }) => valueFrom?.secretKeyRef.name === 'tributary').map(({ name }) => name);
      assert.deepEqual(fromSecret, ['DATABASE_URL', 'SECRET_KEYS', 'SMTP_URL']);
      const values = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      assert.deepEqual([values.TRUSTED_PROXIES, values.LOG_LEVEL, values.DATABASE_POOL_MAX], ['10.0.0.0/8,192.168.0.0/16', 'info', '40']);
    }
  });

  test('asks addresses that answer whether a process is ready', async () => {
    const [serve, worker] = readContainers(required);
    const paths = new Set([serve?.startupProbe, serve?.readinessProbe, serve?.livenessProbe].map((probe) => probe?.httpGet?.path));
    assert.deepEqual([...paths], ['/health/ready', '/health/live']);
    for (const path of paths) assert.equal((await service.app.inject({ url: path ?? '' })).statusCode, 200);
    assert.deepEqual(worker?.livenessProbe?.tcpSocket, { port: 'metrics' });
    assert.deepEqual([serve?.args, worker?.args], [['serve', '--no-jobs'], ['worker']]);
  });

  test('names each value that is missing or wrong', () => {
    const explain = (values: object) => runHelm(['template', 'demo', 'deploy/helm/tributary'], values).stderr;
    const nothing = explain({});
    for (const name of Object.keys(required)) assert.match(nothing, new RegExp(`${name}: Does not match pattern`));
    assert.match(explain({ ...required, publicUrl: 'https://example.com/partners' }), /publicUrl: Does not match pattern/);
    assert.match(explain({ ...required, replicas: 3 }), /Additional property replicas is not allowed/);
    assert.match(explain({ ...required, serve: { replicas: 0 } }), /serve.replicas: Must be greater than or equal to 1/);
    assert.match(explain({ ...required, settings: { 'log level': 'info' } }), /log level/);
  });
});
