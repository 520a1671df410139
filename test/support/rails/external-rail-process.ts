// The simulated external rail as a separate process, so that a test can kill the service and ask afterwards what
// was really paid. `node test/support/rails/external-rail-process.ts '{"seed":1,"modes":{"pay":0.8,"pay_then_hang":0.2}}'`
// prints {"port":…,"control":…}. On the control port: GET /payments · GET /repeats · POST /mode {"mode":…} or {"modes":…} ·
// POST /settle · POST /forget-keys · POST /return {"paymentId":…} · POST /deliver {"url":…,"times":2,"seed":1}.
import { startExternalRail } from './external.ts';
import { chanceOf, type Mode, shuffled } from './faults.ts';
import { type Asked, type Simulator, serve } from './simulator.ts';

/** All optional. `modes` are weights, drawn again for each payment request. */
export type ProcessOptions = {
  port?: number;
  secret?: string;
  seed?: number;
  mode?: Mode;
  modes?: Partial<Record<Mode, number>>;
  ratePerSecond?: number;
  slowMs?: number;
};

const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const rail = await startExternalRail(options);
rail.setMode(chosen(options));
const control = await serve((asked) => obey(asked, rail).then((body) => ({ status: 200, body })));
process.stdout.write(`${JSON.stringify({ port: rail.port, control: control.port, url: rail.url, controlUrl: control.url })}\n`);

async function obey({ method, path, body }: Asked, simulator: Simulator): Promise<unknown> {
  const given = body === '' ? {} : JSON.parse(body);
  switch (`${method} ${path}`) {
    case 'GET /payments':
      return { payments: simulator.payments(), asked: rail.asked() };
    case 'GET /repeats':
      return repeatsIn(simulator);
    case 'POST /mode':
      return simulator.setMode(chosen(given)) ?? {};
    case 'POST /settle':
      return simulator.settle() ?? {};
    case 'POST /forget-keys':
      return simulator.forgetKeys() ?? {};
    case 'POST /return':
      return simulator.returnPayment(given.paymentId) ?? {};
    case 'POST /deliver':
      return { statuses: await deliver(simulator, given) };
    default:
      throw new Error(`There is no ${method} ${path}.`);
  }
}

/** Payments that were made more than once: there must be none. */
function repeatsIn(simulator: Simulator): { payments: number; totalCents: number; repeated: string[] } {
  const seen = new Set<string>();
  const repeated = simulator.payments().filter(({ paymentId }) => seen.size === seen.add(paymentId).size);
  const totalCents = simulator.payments().reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { payments: simulator.payments().length, totalCents, repeated: repeated.map(({ paymentId }) => paymentId) };
}

function chosen({ mode, modes, seed = 1 }: ProcessOptions): Mode | (() => Mode) {
  const weights = Object.entries(modes ?? {}) as [Mode, number][];
  if (weights.length === 0) return mode ?? 'pay';
  const chance = chanceOf(seed);
  const whole = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return () => {
    let left = chance() * whole;
    for (const [name, weight] of weights) {
      left -= weight;
      if (left < 0) return name;
    }
    return 'pay';
  };
}

type Delivering = { url: string; times?: number; seed?: number };

async function deliver(simulator: Simulator, { url, ...how }: Delivering): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { headers, body } of shuffled(await simulator.events(), how)) {
    const status = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).then(
      (answer) => answer.status,
      () => 0,
    );
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
