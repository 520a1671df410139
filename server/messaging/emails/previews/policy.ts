// What a frame with an email may do: show it and load the logo. No script, no form and no link leaves it.

/** The headers of an email with this logo. The console isn't keyed by origin, so a frame in it can't be either. */
export function previewHeaders(logoUrl: string | null): Record<string, string> {
  return { 'content-security-policy': toPolicy(logoUrl), 'origin-agent-cluster': '?0' };
}

function toPolicy(logoUrl: string | null): string {
  const logo = logoUrl !== null && URL.canParse(logoUrl) ? ` ${new URL(logoUrl).origin}` : '';
  return `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:${logo}; frame-ancestors 'self'`;
}
