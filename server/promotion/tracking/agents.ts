// Who is a program and not a person, by what it says of itself (MRC's "general invalid traffic"). The list is
// isbot's; the patterns below add what it lets through, held against crawler-user-agents by a test.
import { isbot } from 'isbot';

// Narrow on purpose: the embedded browsers of apps look alike, and most of them are people.
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

const maxKnown = 5000;

/** Whether a user agent is a bot's. An absent one is: every browser sends it. Remembers what it has judged. */
export function botCheck(): (agent: string) => boolean {
  const known = new Map<string, boolean>();
  return (agent) => {
    const found = known.get(agent);
    if (found !== undefined) return found;
    const isBot = agent.trim() === '' || isbot(agent) || missedByIsbot.some((pattern) => pattern.test(agent));
    // Odd agents come without end; the usual ones are back at once.
    if (known.size >= maxKnown) known.clear();
    known.set(agent, isBot);
    return isBot;
  };
}
