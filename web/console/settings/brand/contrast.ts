// The text color that is readable on a color, as emails and public pages choose it. Pure.

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** White where its contrast is at least 4.5, otherwise black. */
export function textColorOn(color: string): 'white' | 'black' {
  return 1.05 / (luminance(color) + 0.05) >= 4.5 ? 'white' : 'black';
}

function luminance(color: string): number {
  const part = (at: number) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
