// Pages of a public program, written as rows: one in each template, with a large photo, a portrait, 24 products with images,
// links, notes and a coupon.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import sharp from 'sharp';
import { convertImage } from '../../server/promotion/media/convert.ts';
import { program } from '../conversions-script.ts';
import { fillProgram } from '../fill.ts';

export const templates = ['clinical', 'creator', 'minimalist'] as const;
const products = 24;

/** The paths of the pages. */
export async function fillPages(pool: pg.Pool, origin: string): Promise<Map<string, string>> {
  await fillProgram(pool, program, templates.length);
  const [user] = (
    await pool.query(`insert into users (id, email, email_key, name, locale, created_at)
    values (gen_random_uuid(), 'bench@example.com', 'bench@example.com', 'Bench', 'en', now()) returning id`)
  ).rows as { id: string }[];
  if (!user) throw new Error('The user was not inserted.');
  const hero = origin + (await addImage(pool, user.id, { width: 1600, height: 1000 }));
  const portrait = origin + (await addImage(pool, user.id, { width: 900, height: 1200 }));
  const product = origin + (await addImage(pool, user.id, { width: 800, height: 800 }));
  await pool.query(
    `insert into products (program_id, id, name, description, image_url, price_cents, checkout_url, status, search, created_at, updated_at)
     select $1, lpad(to_hex(n), 32, '0')::uuid, 'Evening tea ' || n, 'Valerian, lemon balm and lavender; 20 bags.', $2, 1490 + n * 100,
       'https://brand.example/tea/' || n, 'active', 'evening tea', now(), now() from generate_series(1, ${products}) as n`,
    [program, product],
  );
  for (const [index, template] of templates.entries()) await addPage(pool, { template, index, hero, portrait });
  return new Map(templates.map((template) => [template, `/s/bench/${template}`]));
}

type Page = { template: string; index: number; hero: string; portrait: string };

async function addPage(pool: pg.Pool, { template, index, hero, portrait }: Page): Promise<void> {
  const affiliate = String(index + 1).padStart(32, '0');
  await pool.query(
    `with page as (
       insert into landing_pages (program_id, id, affiliate_id, slug, revision, is_published, review_status, approved_revision, created_at, updated_at)
       values ($1, gen_random_uuid(), $2::uuid, $3, 1, true, 'approved', 1, now(), now()) returning program_id, id)
     insert into landing_page_revisions (program_id, page_id, revision, template_id, promotion_mode, page_title, headline, bio_text, avatar_url,
       hero_image_url, promo_badge_text, featured_product_ids, is_published, links, created_at)
     select program_id, id, 1, $3, 'all', 'What I recommend for calmer evenings', 'Forty flights a year, two teas, one mask.',
       'I am a registered dietitian. These are the things I use most with people who sleep badly.', $5, $4, 'Ten percent off', '{}', true,
       '[{"label":"My practice","url":"https://ada.example/"}]', now() from page`,
    [program, affiliate, template, hero, portrait],
  );
}

/** An image as detailed as a photo: noise, softened. Returns its path. */
async function addImage(pool: pg.Pool, userId: string, { width, height }: { width: number; height: number }): Promise<string> {
  const noise = randomBytes(Math.round(width / 4) * Math.round(height / 4) * 3);
  const raw = { width: Math.round(width / 4), height: Math.round(height / 4), channels: 3 as const };
  const file = await sharp(noise, { raw }).resize(width, height).blur(6).jpeg().toBuffer();
  const converted = await convertImage(file);
  if (converted.fault !== null) throw new Error(converted.fault);
  const id = crypto.randomUUID();
  await pool.query('insert into media_addresses (media_id, program_id) values ($1, $2)', [id, program]);
  await pool.query('insert into media (program_id, id, user_id, width, height, created_at) values ($1, $2, $3, $4, $5, now())', [
    program,
    id,
    userId,
    width,
    height,
  ]);
  for (const { maxWidth, content } of converted.variants)
    await pool.query('insert into media_variants (program_id, media_id, max_width, content) values ($1, $2, $3, $4)', [
      program,
      id,
      maxWidth,
      Buffer.from(content),
    ]);
  return `/media/${id}`;
}
