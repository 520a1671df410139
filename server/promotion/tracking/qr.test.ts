import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import QRCode from 'qrcode';
import { anAffiliate } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';

describe("an affiliate's QR code", () => {
  let service: TestService;
  let path: string;
  let link: string;
  before(async () => {
    service = await openTestService({ environment: { PUBLIC_URL: 'https://go.example' } });
    const { id, referralCode } = await anAffiliate(service);
    path = `${service.program.path}/affiliates/${id}/qr`;
    link = `https://go.example/r/${referralCode}`;
  });
  after(() => service.close());

  test('says the link, as a picture of either kind or as JSON', async () => {
    const { body } = await service.request('GET', path, { key: service.program.readKey });
    assert.equal(body.url, link);
    const expected = await QRCode.toString(link, { type: 'svg', width: 512, margin: 2, errorCorrectionLevel: 'M' });
    assert.equal(body.svg, expected);
    const svg = await service.request('GET', `${path}?format=svg&size=128`);
    assert.deepEqual([svg.status, svg.headers['content-type']], [200, 'image/svg+xml']);
    assert.match(svg.text, /^<svg [^>]*width="128" height="128"/);
    const png = await service.app.inject({
      url: `${path}?format=png&size=300`,
      headers: { authorization: `Bearer ${service.program.key}` },
    });
    assert.equal(png.headers['content-type'], 'image/png');
    assert.deepEqual([...png.rawPayload.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.deepEqual([png.rawPayload.readUInt32BE(16), png.rawPayload.readUInt32BE(20)], [300, 300]);
  });

  test('has a size within reason and one of the known forms', async () => {
    for (const query of ['size=63', 'size=2049', 'size=1e3', 'format=gif'])
      assert.equal((await service.request('GET', `${path}?${query}`)).status, 400, query);
  });
});
