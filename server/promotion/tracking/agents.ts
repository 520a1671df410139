// Detects bots by their user agent (MRC's "general invalid traffic"). The list is isbot's; the patterns below add crawlers
// that it misses, and a test compares the result with crawler-user-agents.
import { isbot } from 'isbot';

// Narrow on purpose: the embedded browsers of apps look alike, and most of them are used by people.
const missedByIsbot = [
  /AP3A\.240617\.008; wv\).* Instagram 406\.0\.0\.58\.159 /,
  / (?:Code|Trae)\/\d[\d.]* Chrome\/[\d.]+ Electron\//,
  / MetaIAB Facebook$/,
  / Fluid\/\d/,
  /TSM-turingos/,
  / GTmetrix/,
  / Miniature\.io\//,
  / YLT Chrome\//,
];

const maxCached = 5000;

/** Returns a function that checks whether a user agent is a bot's. An absent one is, since every browser sends one. */
export function createBotCheck(): (agent: string) => boolean {
  const cache = new Map<string, boolean>();
  return (agent) => {
    const cached = cache.get(agent);
    if (cached !== undefined) return cached;
    const isBot = agent.trim() === '' || isbot(agent) || missedByIsbot.some((pattern) => pattern.test(agent));
    // The number of unusual user agents is unbounded; common ones are cached again immediately.
    if (cache.size >= maxCached) cache.clear();
    cache.set(agent, isBot);
    return isBot;
  };
}
