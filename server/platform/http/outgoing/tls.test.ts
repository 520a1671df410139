// Receivers over TLS, with the certificate of a local authority: what a hostile one can answer, and which certificates the service trusts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { HttpFailure } from '../../lib/http.ts';
import { createOutgoingHttp } from './outgoing.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const responseLimit = { bytes: 1000, ms: 5000 };
const mebibyte = Buffer.alloc(1024 * 1024);

describe('a receiver over TLS', { skip: hasOpenssl ? false : 'openssl makes the certificates' }, () => {
  const http = createOutgoingHttp({ allowPrivate: true });
  const trustedBefore = tls.getCACertificates('default');
  const requests: string[] = [];
  let folder: string;
  let server: Server;
  let stranger: Server;
  let sentBytes = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-tls-'));
    const authority = makeAuthority('authority');
    server = await serve(makeCertificate('receiver', 'DNS:localhost', 'authority'));
    makeAuthority('unknown');
    stranger = await serve(makeCertificate('stranger', 'DNS:localhost', 'unknown'));
    tls.setDefaultCACertificates([...trustedBefore, authority]);
  });
  after(async () => {
    tls.setDefaultCACertificates(trustedBefore);
    await http.close();
    for (const each of [server, stranger]) {
      each.closeAllConnections();
      each.close();
    }
    rmSync(folder, { recursive: true });
  });

  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

  function makeAuthority(name: string): string {
    openssl('req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '2', '-subj', `/CN=${name}`);
    return readFileSync(join(folder, `${name}.pem`), 'utf8');
  }

  function makeCertificate(name: string, names: string, authority: string): { key: string; cert: string } {
    openssl(
      'req',
      ...newKey,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=${names}`,
    );
    const signing = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-copy_extensions', 'copy', '-days', '1'];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signing);
    return { key: readFileSync(join(folder, `${name}.key`), 'utf8'), cert: readFileSync(join(folder, `${name}.pem`), 'utf8') };
  }

  async function serve(certificate: { key: string; cert: string }): Promise<Server> {
    const created = createServer(certificate, (request, response) => {
      requests.push(request.url ?? '');
      if (request.url === '/redirect') return void response.writeHead(307, { location: '/inside' }).end();
      if (request.url === '/gzip')
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
      if (request.url !== '/endless') return void response.end('ok');
      const timer = setInterval(() => {
        if (response.write(mebibyte)) sentBytes += mebibyte.length;
      }, 1);
      response.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((done) => created.listen(0, '127.0.0.1', done));
    return created;
  }

  const urlOf = (of: Server, path: string, host = 'localhost') => `https://${host}:${(of.address() as AddressInfo).port}${path}`;
  const call = (url: string, options = {}) => http({ method: 'POST', url, body: '{}', timeoutMs: 20_000, ...options });

  test('is called if its certificate is valid for its name, and its redirect is not followed', async () => {
    const { status, headers } = await call(urlOf(server, '/redirect'));
    assert.deepEqual([status, headers.location], [307, '/inside']);
    assert.ok(!requests.includes('/inside'));
  });

  test('is not sent the request if its certificate is for another name, or of an unknown authority', async () => {
    const before = requests.length;
    for (const url of [urlOf(server, '/other-name', '127.0.0.1'), urlOf(stranger, '/stranger')])
      await assert.rejects(call(url), (error) => error instanceof HttpFailure && !error.message.includes('certificate'), url);
    assert.equal(requests.length, before);
  });

  test('that answers without end is cut off', async () => {
    const { status, body } = await call(urlOf(server, '/endless'), { responseLimit });
    assert.deepEqual([status, body.length], [200, 1000]);
    await assert.rejects(call(urlOf(server, '/endless')), HttpFailure);
    assert.ok(sentBytes < 64 * mebibyte.length, `${sentBytes} bytes were sent`);
  });

  test('that answers with a compressed bomb is not decompressed', async () => {
    const { body } = await call(urlOf(server, '/gzip'));
    assert.ok(body.length < 1_000_000, `${body.length} characters`);
  });
});
