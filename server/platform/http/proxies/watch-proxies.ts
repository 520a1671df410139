// Watches requests for proxies that are not trusted: logs a warning immediately, and records the address for `doctor` and
// alerts. Anyone can send these headers, so a public address counts only once most requests come through it.
import type { IncomingMessage, Server } from 'node:http';
import type { Context } from '../../../context.ts';
import { createRangeCheck } from '../../lib/network/ip-address.ts';
import { findUntrustedProxy } from './find-untrusted.ts';
import { explainUntrustedProxies, recordUntrustedProxy } from './untrusted-proxies.ts';

/** An address is recorded again after this time, so that it is known to be in use. */
const repeatMs = 10 * 60_000;
const minPublicRequests = 20;
const maxAddresses = 100;

/** Watches the requests of a server. Returns a function that waits until what was found is recorded. */
export function watchProxies(server: Server, ctx: Context): () => Promise<void> {
  const isTrusted = createRangeCheck(ctx.config.trustedProxies);
  const recordedAtMs = new Map<string, number>();
  const forwarded = new Map<string, number>();
  let requests = 0;
  let windowStartMs = performance.now();
  let recording = Promise.resolve();

  const startWindow = (nowMs: number): void => {
    windowStartMs = nowMs;
    requests = 0;
    forwarded.clear();
    recordedAtMs.forEach((atMs, address) => {
      if (nowMs - atMs >= repeatMs) recordedAtMs.delete(address);
    });
  };
  const isMostTraffic = (address: string): boolean => {
    const count = (forwarded.get(address) ?? 0) + 1;
    if (forwarded.has(address) || forwarded.size < maxAddresses) forwarded.set(address, count);
    return count >= minPublicRequests && count * 2 > requests;
  };
  const report = (address: string): void => {
    ctx.log.warn({ address }, explainUntrustedProxies([address], ctx.config));
    recording = recording
      .then(() => recordUntrustedProxy(ctx, address))
      .catch((error: unknown) => ctx.log.warn({ err: error, address }, 'failed to record an untrusted proxy'));
  };

  server.on('request', ({ socket, headers }: IncomingMessage) => {
    const nowMs = performance.now();
    if (nowMs - windowStartMs >= repeatMs) startWindow(nowMs);
    requests += 1;
    const found = findUntrustedProxy({ peer: socket.remoteAddress, headers }, isTrusted);
    if (!found || recordedAtMs.has(found.address) || recordedAtMs.size >= maxAddresses) return;
    if (!found.isPrivate && !isMostTraffic(found.address)) return;
    recordedAtMs.set(found.address, nowMs);
    report(found.address);
  });
  return () => recording;
}
