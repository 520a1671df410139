// Text as a layer of an image. Pango lays it out: scripts that are written from the right, combined letters, line breaks.
import type sharp from 'sharp';

type Sharp = typeof sharp;
export type Layer = { input: Buffer; raw: { width: number; height: number; channels: 4 } };
type Room = { width: number; height: number /** In pixels; the first that fits is used. */; sizes: readonly number[] };
type Tools = { sharp: Sharp; fonts: readonly string[] };

/** The text in white, shortened if it does not fit; null if this machine has no font for it. */
export async function drawText(tools: Tools, given: string, { width, height, sizes }: Room): Promise<Layer | null> {
  const text = given
    .replace(/\p{RGI_Emoji}/gv, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '' || !(await hasFont(tools, text))) return null;
  for (const size of sizes) {
    const layer = await render(tools, text, { size, width });
    if (layer.raw.height <= height) return layer;
  }
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const size = sizes.at(-1) ?? 0;
  for (let length = Math.floor(characters.length * 0.85); length > 0; length = Math.floor(length * 0.85)) {
    const layer = await render(tools, `${characters.slice(0, length).join('').trim()}…`, { size, width });
    if (layer.raw.height <= height) return layer;
  }
  return null;
}

async function render({ sharp, fonts }: Tools, text: string, { size, width }: { size: number; width: number }): Promise<Layer> {
  const markup = `<span foreground="white">${escapeMarkup(text)}</span>`;
  const shared = { font: `Instrument Serif ${size}`, rgba: true, wrap: 'word-char', width } as const;
  // A file is loaded for all later texts.
  for (const fontfile of fonts.slice(0, -1))
    await sharp({ text: { ...shared, text: 'x', fontfile } })
      .raw()
      .toBuffer();
  const { data, info } = await sharp({ text: { ...shared, text: markup, fontfile: fonts.at(-1) ?? '' } })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } };
}

/** A letter without a font is drawn as a box. Some letters are boxes, so all of the first ones must be. */
async function hasFont(tools: Tools, text: string): Promise<boolean> {
  const letters = [...new Set(text.match(/\p{L}/gu))].filter((letter) => !/\p{Script=Latin}/u.test(letter)).slice(0, 4);
  for (const letter of letters) if (!isBox(await render(tools, letter, { size: 60, width: 200 }))) return true;
  return letters.length === 0;
}

function isBox({ input, raw: { width, height } }: Layer): boolean {
  const isSet = (x: number, y: number) => (input[(y * width + x) * 4 + 3] ?? 0) > 60;
  const across = Array.from({ length: width - 6 }, (_, index) => index + 3);
  const down = Array.from({ length: height - 6 }, (_, index) => index + 3);
  const hasRow = [0, 1, 2].some((y) => across.every((x) => isSet(x, y)));
  const hasColumn = [0, 1, 2].some((x) => down.every((y) => isSet(x, y)));
  return hasRow && hasColumn;
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');
}
