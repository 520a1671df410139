// Floods of clicks from many addresses.
import { chrome } from './browsers.ts';
import type { TestService } from './harness.ts';

export type Click = { from: string; code: string; headers?: Record<string, string> };

export const randomAddress = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 250)).join('.');

/** Sends clicks, `width` at a time, and counts the responses by where they led. */
export async function flood(service: TestService, clicks: Click[], width = 200) {
  const counts = { redirects: 0, recorded: 0 };
  for (let from = 0; from < clicks.length; from += width) {
    const responses = await Promise.all(
      clicks
        .slice(from, from + width)
        .map(({ from: remoteAddress, code, headers }) =>
          service.app.inject({ url: `/r/${code}`, remoteAddress, headers: { 'user-agent': chrome, ...headers } }),
        ),
    );
    for (const { statusCode, headers } of responses) {
      if (statusCode === 302 && String(headers.location).startsWith('https://brand.example/')) counts.redirects += 1;
      if (String(headers.location).includes('trb_click=')) counts.recorded += 1;
    }
  }
  return counts;
}
