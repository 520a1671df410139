// Things for the home: teapot, glasses, mask, spray, candle. Each stands on the origin.

import { shade } from './scene.ts';
import { type Label, words } from './vessels.ts';

export function teapot(color = '#7f8f86'): string {
  const body = 'M60 -20C10 -60 10 -190 90 -226H290C370 -190 370 -60 320 -20Q190 6 60 -20z';
  const spout = 'M344 -150C400 -150 396 -222 446 -246L474 -232C446 -190 452 -96 340 -78z';
  return `${shade(60, -8, 260)}<path d="${spout}" fill="${color}"/><path d="${spout}" fill="url(#flat)"/>
    <path d="M40 -190C-60 -200 -70 -70 46 -70" fill="none" stroke="${color}" stroke-width="30" stroke-linecap="round"/><path d="M40 -190C-60 -200 -70 -70 46 -70" fill="none" stroke="#1c140a" stroke-opacity=".18" stroke-width="30" stroke-linecap="round"/>
    <path d="${body}" fill="${color}"/><path d="${body}" fill="url(#round)"/>
    <path d="M30 -120Q190 -92 350 -120" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="3"/><path d="M36 -100Q190 -72 346 -100" fill="none" stroke="#1c140a" stroke-opacity=".14" stroke-width="3"/>
    <ellipse cx="190" cy="-226" rx="100" ry="20" fill="#1c140a" opacity=".35"/><path d="M96 -232C110 -276 270 -276 284 -232A94 16 0 0 1 96 -232z" fill="${color}"/><path d="M96 -232C110 -276 270 -276 284 -232A94 16 0 0 1 96 -232z" fill="url(#round)"/>
    <circle cx="190" cy="-282" r="21" fill="#c9a06a"/><circle cx="190" cy="-282" r="21" fill="url(#flat)"/>`;
}

/** A double-walled glass with tea. */
export function glass(tea = '#c9821f', { width = 170, height = 220 } = {}): string {
  const outer = `M0 ${-height}C4 ${-height * 0.4} 14 ${-height * 0.2} 34 0H${width - 34}C${width - 14} ${-height * 0.2} ${width - 4} ${-height * 0.4} ${width} ${-height}z`;
  const inner = `M14 ${-height * 0.74}C18 ${-height * 0.4} 32 ${-height * 0.22} 56 ${-height * 0.14}H${width - 56}C${width - 32} ${-height * 0.22} ${width - 18} ${-height * 0.4} ${width - 14} ${-height * 0.74}z`;
  return `${shade(20, 0, width - 40)}<ellipse cx="${width * 0.9}" cy="10" rx="60" ry="14" fill="${tea}" opacity=".3" filter="url(#soft)"/>
    <path d="${outer}" fill="#fff" opacity=".3"/><path d="${inner}" fill="${tea}"/><ellipse cx="${width / 2}" cy="${-height * 0.74}" rx="${width / 2 - 14}" ry="13" fill="#fff" opacity=".35"/>
    <path d="${outer}" fill="url(#glass)"/><ellipse cx="${width / 2}" cy="${-height}" rx="${width / 2}" ry="15" fill="#fff" opacity=".28"/><ellipse cx="${width / 2}" cy="${-height}" rx="${width / 2}" ry="15" fill="none" stroke="#fff" stroke-width="3" opacity=".85"/>`;
}

/** A tall bottle of cold tea. */
export function carafe(tea = '#b8263f', { width = 170, height = 400 } = {}): string {
  const neck = width * 0.42;
  const side = (width - neck) / 2;
  const outer = `M0 -14C0 ${-height * 0.5} 0 ${-height * 0.5} 6 ${-height * 0.56}C14 ${-height * 0.68} ${side} ${-height * 0.7} ${side} ${-height * 0.8}V${-height}H${width - side}V${-height * 0.8}C${width - side} ${-height * 0.7} ${width - 14} ${-height * 0.68} ${width - 6} ${-height * 0.56}C${width} ${-height * 0.5} ${width} ${-height * 0.5} ${width} -14Q${width / 2} 16 0 -14z`;
  const level = height * 0.66;
  return `${shade(0, 0, width)}<clipPath id="carafe"><path d="${outer}"/></clipPath><path d="${outer}" fill="#fff" opacity=".35"/>
    <g clip-path="url(#carafe)"><rect x="0" y="${-level}" width="${width}" height="${level + 20}" fill="${tea}" opacity=".92"/><ellipse cx="${width / 2}" cy="${-level}" rx="${width * 0.46}" ry="11" fill="#fff" opacity=".3"/></g>
    <path d="${outer}" fill="url(#glass)"/><rect x="${side - 5}" y="${-height - 34}" width="${neck + 10}" height="46" rx="8" fill="#c9a06a"/><rect x="${side - 5}" y="${-height - 34}" width="${neck + 10}" height="46" rx="8" fill="url(#round)"/>`;
}

export function mask(color = '#6b7f8c'): string {
  const shape =
    'M20 -110C60 -170 180 -160 230 -150C280 -160 400 -170 440 -110C462 -60 420 0 340 4C290 6 262 -20 230 -44C198 -20 170 6 120 4C40 0 -2 -60 20 -110z';
  return `<ellipse cx="250" cy="6" rx="230" ry="26" fill="#2a1f10" opacity=".3" filter="url(#softer)"/>
    <path d="M24 -96C-60 -150 -40 -230 60 -236C200 -246 300 -246 410 -232C500 -218 510 -150 436 -96" fill="none" stroke="${color}" stroke-width="20"/><path d="M24 -96C-60 -150 -40 -230 60 -236C200 -246 300 -246 410 -232C500 -218 510 -150 436 -96" fill="none" stroke="#1c140a" stroke-opacity=".3" stroke-width="20"/>
    <path d="${shape}" fill="${color}"/><path d="${shape}" fill="url(#flat)"/><path d="${shape}" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="3" stroke-dasharray="9 7" transform="translate(14 -7) scale(.94)"/>
    <path d="M110 -96Q130 -70 170 -76M290 -76Q330 -70 350 -96" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="5" stroke-linecap="round"/>`;
}

export function spray(label: Label, { glass: color = '#5d7466', width = 150, height = 330 } = {}): string {
  const body = `M0 ${-height * 0.66}Q0 ${-height * 0.74} 30 ${-height * 0.74}H${width - 30}Q${width} ${-height * 0.74} ${width} ${-height * 0.66}V0Q${width / 2} 20 0 0z`;
  return `${shade(0, 0, width)}<path d="${body}" fill="${color}"/><path d="${body}" fill="url(#round)"/>
    <rect x="10" y="${-height * 0.6}" width="${width - 20}" height="${height * 0.48}" rx="6" fill="#faf6ea"/><rect x="10" y="${-height * 0.6}" width="${width - 20}" height="${height * 0.48}" rx="6" fill="url(#round)" opacity=".5"/>
    ${words(label, { x: width / 2, y: -height * 0.49, size: 23 })}
    <rect x="${width / 2 - 24}" y="${-height * 0.84}" width="48" height="${height * 0.11}" fill="#c9a06a"/><rect x="${width / 2 - 24}" y="${-height * 0.84}" width="48" height="${height * 0.11}" fill="url(#round)"/>
    <path d="M${width / 2 - 32} ${-height * 0.84}V${-height}H${width / 2 + 30}V${-height * 0.84}z" fill="#faf6ea"/><path d="M${width / 2 - 32} ${-height * 0.84}V${-height}H${width / 2 + 30}V${-height * 0.84}z" fill="url(#round)"/><circle cx="${width / 2 - 30}" cy="${-height * 0.93}" r="6" fill="#22342c"/>`;
}

export function candle(label: Label, { width = 220, height = 210 } = {}): string {
  const jar = `M0 ${-height}V-10Q${width / 2} 22 ${width} -10V${-height}z`;
  const depth = width * 0.085;
  return `${shade(0, 0, width)}<path d="${jar}" fill="#e7c98d"/><path d="${jar}" fill="url(#round)"/><ellipse cx="${width / 2}" cy="${-height}" rx="${width / 2}" ry="${depth}" fill="#f7e6bd"/><ellipse cx="${width / 2}" cy="${-height}" rx="${width / 2}" ry="${depth}" fill="none" stroke="#fff" stroke-width="4" opacity=".7"/>
    <rect x="30" y="${-height * 0.78}" width="${width - 60}" height="${height * 0.62}" rx="4" fill="#faf6ea"/>${words(label, { x: width / 2, y: -height * 0.63, size: 26 })}
    <circle cx="${width / 2}" cy="${-height - 64}" r="130" fill="#ffd98a" opacity=".4" filter="url(#softer)"/><path d="M${width / 2} ${-height}v-26" stroke="#3a2c1c" stroke-width="5"/>
    <path d="M${width / 2} ${-height - 106}C${width / 2 + 34} ${-height - 62} ${width / 2 + 22} ${-height - 22} ${width / 2} ${-height - 20}C${width / 2 - 22} ${-height - 22} ${width / 2 - 30} ${-height - 58} ${width / 2} ${-height - 106}z" fill="#f6a93b"/><path d="M${width / 2} ${-height - 74}C${width / 2 + 16} ${-height - 48} ${width / 2 + 10} ${-height - 24} ${width / 2} ${-height - 22}C${width / 2 - 10} ${-height - 24} ${width / 2 - 15} ${-height - 48} ${width / 2} ${-height - 74}z" fill="#fff2c4"/>`;
}
