// Leaves, flowers and fruits. Each is drawn around the origin.

const round = (value: number): string => value.toFixed(1);

/** A leaf from the origin to the right, `length` long. */
export function leaf(length: number, color: string, { width = 0.36, vein = 'rgb(255 255 255 / .35)' } = {}): string {
  const half = length * width;
  return `<path d="M0 0C${length * 0.25} ${-half} ${length * 0.75} ${-half} ${length} 0C${length * 0.75} ${half} ${length * 0.25} ${half} 0 0z" fill="${color}"/>
    <path d="M0 0H${length * 0.9}" stroke="${vein}" stroke-width="${Math.max(1, length * 0.022)}" stroke-linecap="round"/>`;
}

/** A fern frond that grows upwards from the origin, bending to the right. */
export function fern(height: number, color: string, pairs = 10, width = 0.17): string {
  const at = (t: number) => ({ x: height * 0.22 * t * t, y: -height * t });
  const leaves = Array.from({ length: pairs }, (_, index) => {
    const t = 0.14 + (0.82 * index) / (pairs - 1);
    const { x, y } = at(t);
    const size = height * 0.36 * Math.sin(Math.PI * (0.22 + 0.74 * t)) ** 1.1;
    const lean = 24 * t;
    return [-1, 1]
      .map((side) => {
        const turn = side === 1 ? -28 + lean : 208 + lean;
        return `<g transform="translate(${round(x)} ${round(y)}) rotate(${round(turn)})">${plainLeaf(size, color, width)}</g>`;
      })
      .join('');
  });
  const top = at(1);
  return `<path d="M0 0Q${round(top.x * 0.2)} ${round(top.y * 0.55)} ${round(top.x)} ${round(top.y)}" fill="none" stroke="${color}" stroke-width="${round(height * 0.014)}" stroke-linecap="round"/>${leaves.join('')}
    <g transform="translate(${round(top.x)} ${round(top.y)}) rotate(-66)">${plainLeaf(height * 0.12, color, width)}</g>`;
}

function plainLeaf(length: number, color: string, width: number): string {
  const half = length * width;
  return `<path d="M0 0C${round(length * 0.3)} ${round(-half)} ${round(length * 0.7)} ${round(-half)} ${round(length)} 0C${round(length * 0.7)} ${round(half)} ${round(length * 0.3)} ${round(half)} 0 0z" fill="${color}"/>`;
}

const around = (count: number, draw: (angle: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw((index * 360) / count)).join('');

export function chamomile(size: number): string {
  const petal = (angle: number) =>
    `<ellipse transform="rotate(${angle})" cx="${size * 0.58}" cy="0" rx="${size * 0.42}" ry="${size * 0.17}" fill="#fffdf4" stroke="#e3dcc4" stroke-width="1"/>`;
  return `<ellipse cx="6" cy="${size * 0.3}" rx="${size}" ry="${size * 0.5}" fill="#2a1f10" opacity=".2" filter="url(#soft)"/>${around(12, petal)}
    <circle r="${size * 0.32}" fill="#e3a72a"/><circle cx="${-size * 0.08}" cy="${-size * 0.09}" r="${size * 0.2}" fill="#f3c95a"/>`;
}

export function citrus(size: number, { rind = '#e0a01f', flesh = '#f6cf5b' } = {}): string {
  const segment = (angle: number) =>
    `<path transform="rotate(${angle})" d="M${size * 0.1} 0L${size * 0.74} ${-size * 0.26}Q${size * 0.86} 0 ${size * 0.74} ${size * 0.26}z" fill="${flesh}"/>`;
  return `<ellipse cx="8" cy="${size * 0.35}" rx="${size}" ry="${size * 0.7}" fill="#2a1f10" opacity=".22" filter="url(#soft)"/><circle r="${size}" fill="${rind}"/><circle r="${size * 0.9}" fill="#fdf3d2"/>${around(9, segment)}`;
}

export function mint(size: number): string {
  const pair = (turn: number, scale: number, color: string) =>
    `<g transform="rotate(${turn})">${leaf(size * scale, color, { width: 0.34 })}</g>`;
  return `<ellipse cx="6" cy="${size * 0.2}" rx="${size * 0.9}" ry="${size * 0.4}" fill="#2a1f10" opacity=".2" filter="url(#soft)"/>${[
    pair(-165, 0.95, '#3f7a4c'),
    pair(-15, 1, '#4a8a56'),
    pair(-115, 0.75, '#5b9d63'),
    pair(-62, 0.8, '#69ac70'),
    pair(20, 0.6, '#3f7a4c'),
  ].join('')}`;
}

export function hibiscus(size: number): string {
  const petal = (angle: number) =>
    `<path transform="rotate(${angle})" d="M0 0C${size * 0.15} ${-size * 0.7} ${size * 0.95} ${-size * 0.75} ${size} ${-size * 0.1}C${size * 1.02} ${size * 0.3} ${size * 0.5} ${size * 0.35} 0 0z" fill="#c8334f" stroke="#a82340" stroke-width="1.5"/>`;
  return `<ellipse cx="8" cy="${size * 0.3}" rx="${size}" ry="${size * 0.6}" fill="#2a1f10" opacity=".22" filter="url(#soft)"/>${around(5, petal)}<circle r="${size * 0.24}" fill="#7d1530"/>
    <path d="M0 0Q${size * 0.3} ${-size * 0.2} ${size * 0.5} ${-size * 0.6}" fill="none" stroke="#f3c95a" stroke-width="${size * 0.08}" stroke-linecap="round"/>`;
}

export function turmeric(size: number): string {
  return `<ellipse cx="${size * 0.6}" cy="${size * 0.42}" rx="${size * 0.9}" ry="${size * 0.24}" fill="#2a1f10" opacity=".26" filter="url(#soft)"/>
    <path d="M0 ${size * 0.2}C${size * 0.1} ${-size * 0.2} ${size * 0.5} ${-size * 0.14} ${size * 0.7} ${-size * 0.1}C${size * 0.8} ${-size * 0.44} ${size} ${-size * 0.42} ${size * 1.02} ${-size * 0.12}C${size * 1.3} ${-size * 0.06} ${size * 1.34} ${size * 0.3} ${size * 1.02} ${size * 0.32}C${size * 0.6} ${size * 0.48} ${size * 0.06} ${size * 0.5} 0 ${size * 0.2}z" fill="#c17a24"/>
    <path d="M${size * 0.24} ${-size * 0.04}q${size * 0.06} ${size * 0.2} 0 ${size * 0.38}M${size * 0.5} ${-size * 0.1}q${size * 0.06} ${size * 0.24} 0 ${size * 0.46}M${size * 0.78} ${-size * 0.06}q${size * 0.05} ${size * 0.2} 0 ${size * 0.38}" fill="none" stroke="#8f5614" stroke-width="3" opacity=".6"/>
    <ellipse cx="${size * 1.17}" cy="${size * 0.12}" rx="${size * 0.1}" ry="${size * 0.17}" fill="#ef9f26"/>`;
}

export function capsule(color: string, turn: number, other = '#fbf7ec'): string {
  return `<g transform="rotate(${turn})"><ellipse cx="4" cy="16" rx="34" ry="9" fill="#2a1f10" opacity=".28" filter="url(#soft)"/>
    <rect x="-32" y="-13" width="64" height="26" rx="13" fill="${other}"/><path d="M0 -13H-19a13 13 0 0 0 0 26H0z" fill="${color}"/>
    <rect x="-24" y="-8" width="46" height="6" rx="3" fill="#fff" opacity=".55"/></g>`;
}

/** A soft, translucent capsule. */
export function pearl(color: string, turn: number): string {
  return `<g transform="rotate(${turn})"><ellipse cx="4" cy="16" rx="28" ry="9" fill="#2a1f10" opacity=".28" filter="url(#soft)"/>
    <ellipse rx="27" ry="17" fill="${color}"/><ellipse cx="-7" cy="-6" rx="13" ry="5" fill="#fff" opacity=".6"/></g>`;
}

/** The mark of the brand: a frond in a seal. */
export function mark(size: number, { seal = '#0b5f59', frond = '#f4f1e4' } = {}): string {
  const inner = `<g transform="translate(${-size * 0.13} ${size * 0.74}) rotate(-3)">${fern(size * 1.42, frond, 5, 0.25)}</g>`;
  return `<circle r="${size}" fill="${seal}"/>${inner}`;
}
