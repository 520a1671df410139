// The look of an embed, as values of the design tokens. The colors are readable already: the service made them so.
import type { Result } from '../../api/call.ts';

export type Look = Result<'embedSessions.create'>['look'];

/** The design tokens that a look changes, with their values. */
export function toTokens({ accent, radius, fontFamily }: Look): Record<string, string> {
  const colors = accent === null ? {} : toColors(accent);
  const corners =
    radius === null ? {} : { '--radius-control': `${radius}px`, '--radius-card': `${radius}px`, '--radius-sheet': `${radius}px` };
  const fonts =
    fontFamily === null ? {} : { '--font-ui': `${fontFamily}, system-ui, sans-serif`, '--font-display': `${fontFamily}, serif` };
  return { ...colors, ...corners, ...fonts };
}

function toColors({ light, dark }: NonNullable<Look['accent']>): Record<string, string> {
  return {
    '--river': `light-dark(${light.ink}, ${dark.ink})`,
    '--on-river': 'light-dark(#ffffff, #05201c)',
    '--deep': `light-dark(color-mix(in srgb, ${light.ink} 75%, #000), color-mix(in srgb, ${dark.ink} 75%, #fff))`,
    '--tint': `light-dark(color-mix(in srgb, ${light.ink} 10%, #fff), color-mix(in srgb, ${dark.ink} 16%, #0b1513))`,
  };
}

/** Applies a look to the page. The portal sets some tokens at its body, where they would otherwise win. */
export function applyLook(look: Look): void {
  for (const [name, value] of Object.entries(toTokens(look)))
    for (const element of [document.documentElement, document.body]) element.style.setProperty(name, value);
}
