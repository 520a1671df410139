// Tins, bottles, pouches and boxes with the brand's label. Each stands on the origin: `x` from the left edge, `y` up from the table.
import { mark } from './botanicals.ts';
import { shade } from './scene.ts';

export type Label = { title: readonly string[]; detail: string; ink?: string; seal?: string; band?: string };

type Shape = { width: number; height: number };

/** A cylinder that stands on the origin. */
function cylinder({ width, height }: Shape, fill: string, { depth = width * 0.085, y = 0 } = {}): string {
  const body = `M0 ${y - height}A${width / 2} ${depth} 0 0 1 ${width} ${y - height}V${y}A${width / 2} ${depth} 0 0 1 0 ${y}z`;
  return `<path d="${body}" fill="${fill}"/><path d="${body}" fill="url(#round)"/>`;
}

const lidTop = (width: number, y: number, fill: string): string =>
  `<ellipse cx="${width / 2}" cy="${y}" rx="${width / 2}" ry="${width * 0.085}" fill="${fill}"/><ellipse cx="${width / 2}" cy="${y}" rx="${width / 2}" ry="${width * 0.085}" fill="url(#flat)"/>
  <ellipse cx="${width / 2}" cy="${y}" rx="${width / 2 - 5}" ry="${width * 0.085 - 4}" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="2"/>`;

/** The words of a label, centred at `x`, the mark at the top. */
export function words(
  { title, detail, ink = '#22342c', seal = '#faf6ea' }: Label,
  { x, y, size }: { x: number; y: number; size: number },
): string {
  const lines = title.map(
    (line, index) =>
      `<text x="${x}" y="${y + size * (1.75 + index * 1.02)}" font-family="Brand Serif" font-size="${size}" fill="${ink}">${line}</text>`,
  );
  const end = y + size * (1.75 + (title.length - 1) * 1.02);
  return `<g text-anchor="middle"><g transform="translate(${x} ${y})">${mark(size * 0.58, { seal: ink, frond: seal })}</g>${lines.join('')}
    <path d="M${x - size * 0.7} ${end + size * 0.5}h${size * 1.4}" stroke="${ink}" stroke-width="1.5" opacity=".55"/>
    <text x="${x}" y="${end + size * 1.05}" font-family="Brand Sans" font-weight="600" font-size="${size * 0.36}" letter-spacing="1" fill="${ink}" opacity=".85">${detail}</text></g>`;
}

/** A label around a cylinder. */
function wrap({ width }: Shape, label: Label, { from, to, size }: { from: number; to: number; size: number }): string {
  const depth = width * 0.085;
  const paper = (top: number, bottom: number) =>
    `M0 ${-top}A${width / 2} ${depth} 0 0 0 ${width} ${-top}V${-bottom}A${width / 2} ${depth} 0 0 1 0 ${-bottom}z`;
  const band = label.band ? `<path d="${paper(from + 17, from)}" fill="${label.band}"/>` : '';
  return `<path d="${paper(to, from)}" fill="#faf6ea"/>${band}
    ${words(label, { x: width / 2, y: -to + size * 0.95 + depth, size })}<path d="${paper(to, from)}" fill="url(#round)" opacity=".75"/>`;
}

export function tin(label: Label, { width = 230, height = 300, body = '#2f5d50', lid = '#c9b489' } = {}): string {
  const cap = height * 0.17;
  return `${shade(0, 0, width)}${cylinder({ width, height }, body)}${wrap({ width, height }, label, { from: 24, to: height - cap - 14, size: width * 0.142 })}
    <g transform="translate(-5 0)">${cylinder({ width: width + 10, height: cap }, lid, { y: -height + cap })}${lidTop(width + 10, -height, lid)}</g>`;
}

export function bottle(label: Label, { width = 190, height = 330, glass = '#8a4b17', cap = '#f3eee0' } = {}): string {
  const shoulder = height * 0.74;
  const neck = width * 0.62;
  const side = (width - neck) / 2;
  const depth = width * 0.085;
  const outline = `M0 ${-shoulder + 26}C0 ${-shoulder - 18} ${side} ${-shoulder - 8} ${side} ${-shoulder - 34}H${width - side}C${width - side} ${-shoulder - 8} ${width} ${-shoulder - 18} ${width} ${-shoulder + 26}V0A${width / 2} ${depth} 0 0 1 0 0z`;
  const capHeight = height - shoulder - 26;
  const ribs = Array.from({ length: 12 }, (_, index) => {
    const x = side - 8 + ((neck + 16) * (index + 0.5)) / 12;
    return `<path d="M${x} ${-shoulder - 38}V${-height + 14}" stroke="#1c140a" stroke-opacity=".1" stroke-width="3"/>`;
  }).join('');
  return `${shade(0, 0, width)}<path d="${outline}" fill="${glass}"/><path d="${outline}" fill="url(#round)"/>
    ${wrap({ width, height }, label, { from: 24, to: shoulder - 20, size: width * 0.165 })}
    <g transform="translate(${side - 8} ${-shoulder - 30})">${cylinder({ width: neck + 16, height: capHeight }, cap)}${lidTop(neck + 16, -capHeight, cap)}</g>${ribs}`;
}

export function pouch(label: Label, { width = 270, height = 370, paper = '#4f6b3a' } = {}): string {
  const outline = `M14 0C4 ${-height * 0.4} 0 ${-height * 0.7} 8 ${-height}H${width - 8}C${width} ${-height * 0.7} ${width - 4} ${-height * 0.4} ${width - 14} 0Q${width / 2} 22 14 0z`;
  return `${shade(0, 0, width)}<path d="${outline}" fill="${paper}"/><path d="${outline}" fill="url(#round)" opacity=".8"/>
    <path d="M9 ${-height + 34}H${width - 9}" stroke="#fff" stroke-opacity=".4" stroke-width="3"/><path d="M8 ${-height}H${width - 8}V${-height + 16}H8z" fill="#1c140a" opacity=".18"/>
    <rect x="${width * 0.16}" y="${-height * 0.78}" width="${width * 0.68}" height="${height * 0.56}" rx="10" fill="#faf6ea"/>
    ${words(label, { x: width / 2, y: -height * 0.66, size: width * 0.145 })}`;
}

/** A box with its front and its right side. */
export function box(label: Label, { width = 320, height = 220, side = 70, color = '#0b5f59', size = 34 } = {}): string {
  const front = `M0 0V${-height}H${width}V0z`;
  const right = `M${width} 0L${width + side} ${-side * 0.42}V${-height - side * 0.42}L${width} ${-height}z`;
  const top = `M0 ${-height}L${side} ${-height - side * 0.42}H${width + side}L${width} ${-height}z`;
  return `${shade(0, 0, width + side, 0.4)}<path d="${front}" fill="${color}"/><path d="${front}" fill="url(#flat)"/><path d="${right}" fill="${color}"/><path d="${right}" fill="url(#side)"/>
    <path d="${top}" fill="${color}"/><path d="${top}" fill="#fff" opacity=".22"/>${words(label, { x: width / 2, y: -height * 0.74, size })}`;
}

/** An open box: what it holds stands between its back and its front. */
export function openBox(label: Label, inside: string, { width = 460, height = 190, color = '#c9a06a', size = 30 } = {}): string {
  return `${shade(0, 0, width, 0.35)}<path d="M16 ${-height - 40}H${width - 16}L${width} ${-height}V0H0V${-height}z" fill="${color}"/><path d="M16 ${-height - 40}H${width - 16}L${width} ${-height}H0z" fill="#1c140a" opacity=".35"/>
    ${inside}<path d="M0 ${-height}H${width}V0H0z" fill="${color}"/><path d="M0 ${-height}H${width}V0H0z" fill="url(#flat)"/><path d="M0 ${-height}H${width}v6H0z" fill="#fff" opacity=".35"/>
    ${words(label, { x: width / 2, y: -height * 0.72, size })}`;
}
