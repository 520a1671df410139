// Uploaded images are encoded again: hostile files are rejected, and no metadata reaches a page.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { anAffiliate, aProduct } from '../../../test/support/builders.ts';
import { openTestService, type TestMember, type TestService } from '../../../test/support/harness.ts';
import { deleteUnusedMedia } from './delete-unused.ts';

const blue = { r: 20, g: 60, b: 200 };
const photo = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: blue } });

describe('an uploaded image', () => {
  let service: TestService;
  let affiliate: TestMember;
  before(async () => {
    service = await openTestService();
    const row = await anAffiliate(service, { email: 'photos@example.com' });
    affiliate = await service.asAffiliate(row);
  });
  after(() => service.close());

  const upload = (bytes: Buffer, programId = service.program.programId) =>
    affiliate.request('POST', '/app/media', { body: { programId, image: bytes.toString('base64') } });
  const fetchImage = async (path: string, headers: Record<string, string> = {}) =>
    service.app.inject({ method: 'GET', url: path, headers: { host: 'api.test', ...headers } });
  const rejected = async (bytes: Buffer, message: RegExp) => {
    const answer = await upload(bytes);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(answer.body.details[0].path, ['image']);
    assert.match(answer.body.details[0].message, message);
  };

  test('is served in three widths as WebP, rotated as its camera recorded, without metadata', async () => {
    const exif = { IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
    // Orientation 6: the camera was turned, so the upright image is a portrait.
    const original = await photo(2000, 1000).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer();
    assert.ok((await sharp(original).metadata()).exif, 'the original has metadata');
    const { status, body, text } = await upload(original);
    assert.equal(status, 201, text);
    assert.deepEqual([body.width, body.height], [1000, 2000]);
    const path = new URL(body.url).pathname;
    for (const [query, width] of [
      ['', 1000],
      ['?w=1600', 1000],
      ['?w=512', 512],
      ['?w=256', 256],
    ] as const) {
      const image = await fetchImage(path + query);
      assert.equal(image.statusCode, 200);
      const { format, exif: kept, icc, xmp, iptc, orientation, ...size } = await sharp(image.rawPayload).metadata();
      assert.deepEqual([format, size.width, size.height], ['webp', width, width * 2]);
      assert.deepEqual([kept, icc, xmp, iptc, orientation], [undefined, undefined, undefined, undefined, undefined]);
      assert.ok(!image.rawPayload.includes('SECRET-OWNER'));
    }
  });

  test('can be cached permanently, and has a type that browsers do not guess', async () => {
    const { body } = await upload(await photo(40, 30).png().toBuffer());
    const path = new URL(body.url).pathname;
    const { headers } = await fetchImage(path);
    assert.equal(headers['content-type'], 'image/webp');
    assert.match(String(headers['cache-control']), /immutable/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-security-policy']), /default-src 'none'; sandbox/);
    assert.equal((await fetchImage(path, { 'if-none-match': String(headers.etag) })).statusCode, 304);
    for (const wrong of ['?w=500', '?w=256&w=512', '?w=']) assert.equal((await fetchImage(path + wrong)).statusCode, 404, wrong);
    assert.equal((await fetchImage(`/media/${service.ctx.ids.uuid()}`)).statusCode, 404);
    assert.equal((await fetchImage('/media/x')).statusCode, 404);
  });

  test('is accepted as JPEG, PNG, WebP and AVIF', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const answer = await upload(await photo(64, 48).toFormat(format).toBuffer());
      assert.equal(answer.status, 201, `${format}: ${answer.text}`);
    }
  });

  test('of another format is rejected, whatever it calls itself', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');
    await rejected(svg, /must be a JPEG, PNG, WebP or AVIF/);
    await rejected(Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg]), /must be a JPEG/);
    await rejected(Buffer.from('GIF89a\x01\x00\x01\x00'), /must be a JPEG/);
    await rejected(Buffer.from('%PDF-1.7'), /must be a JPEG/);
    await rejected(Buffer.from([0, 0, 0, 24, ...Buffer.from('ftypheic\0\0\0\0mif1heic')]), /must be a JPEG/);
    // The first bytes of a PNG in front of an SVG.
    await rejected(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), svg]), /is damaged or incomplete/);
  });

  test('that is truncated or empty is rejected', async () => {
    const whole = await sharp({
      create: { width: 900, height: 900, channels: 3, background: blue, noise: { type: 'gaussian', mean: 90, sigma: 40 } },
    })
      .jpeg()
      .toBuffer();
    await rejected(whole.subarray(0, whole.length / 2), /is damaged or incomplete/);
    await rejected(Buffer.from('\xff\xd8\xff', 'latin1'), /is damaged or incomplete/);
    await rejected(Buffer.alloc(0), /must not be empty/);
  });

  test('with more than 40 megapixels is rejected, even if its file is small', async () => {
    const bomb = await photo(8000, 6000).png({ compressionLevel: 9 }).toBuffer();
    assert.ok(bomb.length < 1_000_000, `${bomb.length} bytes`);
    await rejected(bomb, /must not have more than 40 megapixels/);
  });

  test('loses what is appended to it', async () => {
    const polyglot = Buffer.concat([await photo(60, 60).jpeg().toBuffer(), Buffer.from('<script>alert(document.domain)</script>')]);
    const { body } = await upload(polyglot);
    const { rawPayload } = await fetchImage(new URL(body.url).pathname);
    assert.ok(!rawPayload.includes('script'));
  });

  test('of more than 10 MB, or that is not Base64, is rejected', async () => {
    await rejected(Buffer.alloc(10 * 1024 * 1024 + 10, 1), /must not be larger than 10 MB/);
    const body = { programId: service.program.programId, image: 'data:image/png;base64,AAAA' };
    assert.equal((await affiliate.request('POST', '/app/media', { body })).status, 400);
  });

  test('can only be uploaded for a program of the user, by members who may change it', async () => {
    const bytes = await photo(9, 9).png().toBuffer();
    const foreign = await upload(bytes, service.foreign.programId);
    const nonexistent = await upload(bytes, service.ctx.ids.uuid());
    const withoutRequestId = ({ status, body }: typeof foreign) => ({ status, body: { ...body, requestId: '' } });
    assert.equal(foreign.status, 404);
    assert.deepEqual(withoutRequestId(foreign), withoutRequestId(nonexistent));
    const body = { programId: service.program.programId, image: bytes.toString('base64') };
    assert.equal((await (await service.asMember('viewer')).request('POST', '/app/media', { body })).status, 404);
    assert.equal((await (await service.asMember('admin')).request('POST', '/app/media', { body })).status, 201);
  });

  test('is deleted after a week unless a page, a draft, a product or the brand shows it', async () => {
    const image = async () => (await upload(await photo(9, 9).png().toBuffer())).body as { id: string; url: string };
    const [unused, recent, ofDraft, ofPage, ofProduct, ofBrand] = [
      await image(),
      await image(),
      await image(),
      await image(),
      await image(),
      await image(),
    ];
    const { programId, path } = service.program;
    const { id: affiliateId } = await anAffiliate(service);
    await affiliate.request('PATCH', `/app/portal/${programId}/page`, { body: { version: 0, avatarUrl: ofDraft.url } });
    const write = (heroImageUrl: string | null) =>
      service.request('POST', `${path}/landing-pages/kept`, { body: { affiliateId, pageTitle: 'Kept', heroImageUrl } });
    await write(ofPage.url);
    // The earlier revision still shows it.
    await write(null);
    await aProduct(service, { imageUrl: ofProduct.url });
    await service.pool.query('insert into program_brands (program_id, logo_url, updated_at) values ($1, $2, now())', [
      programId,
      ofBrand.url,
    ]);
    const old = new Date(service.clock.now().getTime() - 8 * 86_400_000);
    await service.pool.query('update media set created_at = $1 where id <> $2', [old, recent.id]);
    await deleteUnusedMedia.run(service.ctx, {}, { isLast: true });
    const { rows } = await service.pool.query('select id from media order by id');
    const kept = [recent, ofDraft, ofPage, ofProduct, ofBrand].map(({ id }) => id).sort();
    assert.deepEqual(
      rows.map(({ id }) => id),
      kept,
    );
    assert.equal((await fetchImage(`/media/${unused.id}`)).statusCode, 404);
    assert.equal((await fetchImage(`/media/${ofDraft.id}`)).statusCode, 200);
  });

  test('is limited to 100 per user, program and day, however many are uploaded at the same time', async () => {
    const [{ id }] = (await service.pool.query('select id from users where email = $1', [affiliate.email])).rows;
    const today = 'select count(*) from media where user_id = $1 and created_at = $2';
    const counted = async () => Number((await service.pool.query(today, [id, service.clock.now()])).rows[0].count);
    await service.pool.query(
      `insert into media (program_id, id, user_id, width, height, created_at)
       select $1, gen_random_uuid(), $2, 1, 1, $3 from generate_series(1, $4::int)`,
      [service.program.programId, id, service.clock.now(), 98 - (await counted())],
    );
    const bytes = await photo(9, 9).png().toBuffer();
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => upload(bytes)))).map(({ status }) => status);
    assert.deepEqual([statuses.filter((each) => each === 201).length, await counted()], [2, 100]);
    const late = await upload(bytes);
    assert.deepEqual([late.status, late.body.code], [429, 'too_many_images']);
  });
});
