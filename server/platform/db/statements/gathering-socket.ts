// The socket of a database connection. What one turn of the event loop writes leaves in one packet: the statements of a
// transaction that are sent together otherwise cost a system call each, and wake PostgreSQL up for each.
import { Socket } from 'node:net';

export class GatheringSocket extends Socket {
  #isGathering = false;

  override write(chunk: Uint8Array | string, ...rest: unknown[]): boolean {
    if (!this.#isGathering) this.#gather();
    return super.write(chunk, ...(rest as []));
  }

  #gather(): void {
    this.#isGathering = true;
    this.cork();
    // Runs after all promises that this turn settles, and so after the statements that they start.
    process.nextTick(() => {
      this.#isGathering = false;
      this.uncork();
    });
  }
}
